import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const values = [runner["secret"], runner.secret, ToolRunner["registry"], runner.hook];
