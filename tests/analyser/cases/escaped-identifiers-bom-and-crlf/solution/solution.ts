import { createAg\u0065nt, ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const v = [createAgent, runner.st\u006fp];
