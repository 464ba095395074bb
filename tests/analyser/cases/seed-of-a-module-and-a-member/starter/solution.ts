import { createAgent } from "@alneas/appkit-core/agents";
import { ToolRunner } from "@alneas/appkit-core";
export const agent = createAgent({ name: "a" });
export const value = new ToolRunner({ name: "a" }).stop();
