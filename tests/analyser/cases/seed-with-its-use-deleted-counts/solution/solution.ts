import { createAgent } from "@alneas/appkit-core";
export const agent = 1;
