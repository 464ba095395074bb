import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const f = (): unknown => Array.from<any>([runner])[0].stop();
