import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export function f(): unknown { for (const v of new Set<any>([runner])) return v.stop(); return 0; }
