import { createAjvValidator, ToolRunner } from "@alneas/appkit-core";
export const r = new ToolRunner({ name: "a", ...Object.fromEntries([["strict", true]]) });
export const v = createAjvValidator({}, Object.fromEntries([["strict", ["a"]]]));
