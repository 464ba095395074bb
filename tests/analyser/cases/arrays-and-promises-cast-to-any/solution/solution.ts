import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const a = runner.children() as any;
export const b = runner.start("a", 1) as unknown;
export const c = runner.children() as readonly ToolRunner[];
