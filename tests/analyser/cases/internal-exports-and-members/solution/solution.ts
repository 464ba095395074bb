import { __resetAll, __resetForTests, ToolRunner } from "@alneas/appkit-core";
import * as core from "@alneas/appkit-core";
__resetAll();
__resetForTests();
core.__resetForTests();
new ToolRunner({ name: "a" })._drain();
export {};
