import { createAgent } from "@alneas/appkit-core";
export const agent = createAgent({ name: "a" });
export const more = 1;
