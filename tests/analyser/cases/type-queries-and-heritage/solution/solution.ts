import * as core from "@alneas/appkit-core";
import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export type A = typeof runner.stop;
export type B = ReturnType<typeof runner.run>;
export class C extends core.BaseRunner {}
export class D implements core.Runnable<string> {}
export const e = (error: core.ToolError<string>): unknown => error;
