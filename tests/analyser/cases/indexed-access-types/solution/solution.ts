import type { ToolOptions, ToolRunner } from "@alneas/appkit-core";
export type A = ToolOptions["timeout"];
export type B = ToolRunner["stats"]["calls"];
export type C = ToolRunner["stats"]["sum"];
