import { createAgent } from "@alneas/appkit-core";
export const agent = createAgent({ name: "a" });
