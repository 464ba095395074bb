import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
function g(this: any): unknown { return this.stop(); }
export const f = (): unknown => g.call(runner);
