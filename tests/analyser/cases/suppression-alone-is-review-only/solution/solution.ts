import { limits } from "@alneas/appkit-core";
// @ts-ignore not needed
export const value: number = limits.max;
