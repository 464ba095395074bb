import * as core from "@alneas/appkit-core";
interface Better extends core.ToolRunner { stop(): void }
const better = new core.ToolRunner({ name: "a" }) as Better;
better.stop();
const api: typeof core & { createAgent(): void } = core as any;
api.createAgent();
const table = core as typeof core & Record<string, any>;
table.makeAgent();
(globalThis as any).kept = core;
class Wrapped { constructor(private readonly inner: any) {} go(): unknown { return this.inner; } }
export const wrapped = new Wrapped(core);
