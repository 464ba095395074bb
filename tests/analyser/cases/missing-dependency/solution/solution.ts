import { x } from "left-pad";
export const value = x;
