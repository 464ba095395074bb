import * as host from "node:process";
export const leave = (): never => host.exit(0);
