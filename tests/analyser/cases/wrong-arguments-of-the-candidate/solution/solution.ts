import { approve, ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const a = runner.start("x");
export const b = approve(5);
export const c = new ToolRunner({ name: 5 });
export const d = new ToolRunner({ name: "a", retry: 3 });
