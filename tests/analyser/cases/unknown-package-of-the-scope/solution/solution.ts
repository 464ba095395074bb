import { agent } from "@alneas/appkit-agents";
export const value = agent;
