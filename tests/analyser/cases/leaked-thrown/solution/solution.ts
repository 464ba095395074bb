import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export function f(): unknown { try { throw runner; } catch (v: any) { return v.stop(); } }
