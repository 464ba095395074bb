import * as core from "@alneas/appkit-core";
import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const a = Reflect.get(runner, "x");
export const b = Object.keys(core);
export const c = new Proxy(runner, {});
Object.assign(runner, { stop() {} });
for (const name in core) void name;
