import { createAgent } from "@alneas/appkit-core/agents";
export const agent = createAgent({ name: "a" });
