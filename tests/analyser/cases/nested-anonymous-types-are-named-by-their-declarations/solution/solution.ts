import { configure, createStrict, limits, ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const a = runner.stats.total;
export const b = runner.stats.failures.soft;
export const c = limits.min;
export const d = createStrict().strictness;
configure({ name: "x", onDone: (info) => { void info.duration; } });
