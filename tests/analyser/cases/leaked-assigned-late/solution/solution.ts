import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
let y: any;
export const f = (): unknown => { y ??= runner; return y.stop(); };
