import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
interface Wide { run(v: unknown): unknown; stop?(): unknown }
const wide: Wide = runner;
export const f = (): unknown => wide.stop?.();
