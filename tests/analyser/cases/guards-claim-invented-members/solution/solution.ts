import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });

function has<T extends object>(v: T): asserts v is T & { stop(): void } { void v; }
export const f = (): void => { const w = runner; has(w); w.stop(); };
