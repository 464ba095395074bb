import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const m = new Map<string, any>([["v", runner]]);
export const f = (): unknown => { const { stop } = m.get("v"); return stop; };
