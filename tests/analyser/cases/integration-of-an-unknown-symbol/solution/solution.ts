import { createAgent } from "@alneas/appkit-core";
export const value = createAgent();
