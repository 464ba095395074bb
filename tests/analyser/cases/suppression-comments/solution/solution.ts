import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
// @ts-ignore
runner.stop();
// @ts-expect-error
runner.pause();
/* @ts-ignore */
runner.halt();
export {};
