import { b } from "./helper.js";
export const value = b;
