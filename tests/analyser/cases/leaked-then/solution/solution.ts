import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const f = (): unknown => Promise.resolve(runner).then<any>((v) => v).then((v) => v.stop());
