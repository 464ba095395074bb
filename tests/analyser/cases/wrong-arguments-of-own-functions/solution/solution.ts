import { limits } from "@alneas/appkit-core";
const add = (a: number, b: number): number => a + b;
export const sum = add(limits.max);
