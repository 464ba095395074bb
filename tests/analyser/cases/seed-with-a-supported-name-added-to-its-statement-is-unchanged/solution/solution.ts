import { createAgent, limits } from "@alneas/appkit-core";
export const agent = createAgent({ name: "a" });
export const max = limits.max;
