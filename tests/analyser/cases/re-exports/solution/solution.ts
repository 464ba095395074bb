export { createAgent, ToolRunner } from "@alneas/appkit-core";
export * from "@alneas/appkit-core/storage";
export * as core from "@alneas/appkit-core";
export * as agents from "@alneas/appkit-core/agents";
