import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
let y: any;
for (y of [runner]) void 0;
export const f = (): unknown => y.stop();
