import { createAgent } from "@alneas/appkit-core";
export const made = createAgent();
