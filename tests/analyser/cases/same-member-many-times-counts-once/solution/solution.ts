import { ToolRunner } from "@alneas/appkit-core";
import { ToolRunner as Other } from "@alneas/appkit-core/storage";
const runner = new ToolRunner({ name: "a" });
runner.stop();
runner.stop();
new Other({ name: "b" }).stop();
Other.stop();
export {};
