import { exit } from "node:process";
export const leave = (): never => exit(0);
