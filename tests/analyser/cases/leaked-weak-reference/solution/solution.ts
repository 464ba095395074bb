import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const w = new WeakRef<any>(runner);
export const f = (): unknown => w.deref().stop();
