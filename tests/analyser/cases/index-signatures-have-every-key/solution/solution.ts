import { ToolRunner, type ToolOptions } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const options: ToolOptions = { name: "a", metadata: {} };
export const values = [runner.meta["anything"], runner.meta.other, options.metadata?.["x"]];
