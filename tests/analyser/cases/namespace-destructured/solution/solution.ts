import * as core from "@alneas/appkit-core";
const { createAgent, limits, ToolRunner: { build } } = core;
let make: unknown;
({ makeAgent: make } = core);
export { createAgent, limits, build, make };
