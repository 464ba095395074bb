import { createAgent } from "@alneas/appkit-agents";
export const made = createAgent();
