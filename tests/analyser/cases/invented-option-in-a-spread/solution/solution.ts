import { ToolRunner } from "@alneas/appkit-core";
export const r = new ToolRunner({ name: "a", ...{ strict: true } });
