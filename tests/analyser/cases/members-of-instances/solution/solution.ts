import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
runner.stop();
runner?.halt?.();
runner["pause"]();
const { status } = runner;
export const value = [status, runner.run({})];
