import { createAgent } from "@alneas/appkit-core";
export const agent = createAgent({ name: "a" });
export const agent2 = createAgent({ name: "a" });
