import * as core from "@alneas/appkit-core";
import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const a = "createAgent" in core ? core.createAgent : undefined;
if ("stop" in runner) void runner.stop;
