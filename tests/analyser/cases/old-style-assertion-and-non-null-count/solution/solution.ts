import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
(<any>runner)!.stop();
export {};
