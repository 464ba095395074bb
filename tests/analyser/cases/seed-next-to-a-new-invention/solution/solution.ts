import { createAgent, makeAgent } from "@alneas/appkit-core";
export const agent = createAgent({ name: "a" });
export const second = makeAgent();
