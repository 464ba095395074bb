export { createAgent as agent, ToolRunner } from "@alneas/appkit-core";
export * as core from "@alneas/appkit-core";
export * from "@alneas/appkit-core/features/retry";
