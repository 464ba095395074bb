import { ToolRunner } from "@alneas/appkit-core/lib/index.js";
export const runner = new ToolRunner({ name: "a" });
