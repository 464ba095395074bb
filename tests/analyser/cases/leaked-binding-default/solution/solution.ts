import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export function f({ v = runner }: { v?: any } = {}): unknown { return v.stop(); }
