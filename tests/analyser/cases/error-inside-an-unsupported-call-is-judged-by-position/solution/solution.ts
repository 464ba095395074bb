import { ToolRunner } from "@alneas/appkit-core";
const one = (a: number): ToolRunner => new ToolRunner({ name: String(a) });
one("x").stop();
export {};
