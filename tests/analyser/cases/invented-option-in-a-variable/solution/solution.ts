import { ToolRunner } from "@alneas/appkit-core";
const options = { name: "a", strict: true };
export const r = new ToolRunner(options);
