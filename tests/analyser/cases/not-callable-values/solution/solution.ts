import { limits, ToolRunner } from "@alneas/appkit-core";
export const a = limits();
export const b = ToolRunner({ name: "a" });
