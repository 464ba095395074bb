import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
function* g(): Generator<any> { yield runner; }
export function f(): unknown { for (const v of g()) return v.stop(); return 0; }
