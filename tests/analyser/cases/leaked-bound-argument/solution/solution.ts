import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
function g(v: any): unknown { return v.stop(); }
export const f = g.bind(null, runner);
