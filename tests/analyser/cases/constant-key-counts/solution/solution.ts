import { ToolRunner } from "@alneas/appkit-core";
const key = "stop";
export const value = new ToolRunner({ name: "a" })[key];
