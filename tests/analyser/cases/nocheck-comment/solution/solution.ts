// @ts-nocheck
import { createAgent } from "@alneas/appkit-core";
export const value: string = createAgent(1);
export const wrong: number = "x";
