import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const f = (v: any = runner): unknown => v.stop();
