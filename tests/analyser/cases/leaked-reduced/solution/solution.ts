import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const f = (): unknown => [runner].reduce<any>((_, v) => v, null).stop();
