import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const m = new Map<string, any>();
m.set("v", runner);
export const f = (): unknown => m.get("v").stop();
