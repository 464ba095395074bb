import { ToolRunner } from "@alneas/appkit-core/dist/index.js";
export const runner = new ToolRunner({ name: "a" });
