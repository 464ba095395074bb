import { ToolRunner } from "@alneas/appkit-core";
export const f = (): unknown => new ToolRunner({ name: "a" });
export const g: unknown = new ToolRunner({ name: "a" });
