import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const x = (): ToolRunner => runner;
const g: () => any = x;
export const f = (): unknown => g().stop();
