import { createValidator, ToolRunner } from "@alneas/appkit-core";
export const validator = createValidator({});
export const done = ToolRunner.create({ name: "a" }).exec({});
