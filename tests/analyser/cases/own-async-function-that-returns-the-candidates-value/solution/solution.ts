import { type RunResult, ToolRunner } from "@alneas/appkit-core";
const go = async (): Promise<RunResult> => (await new ToolRunner({ name: "a" }).run(1)) satisfies RunResult;
export const done = go().finally(() => undefined);
export const ok = async (): Promise<boolean> => (await go()).ok;
async function hidden(): Promise<any> { return new ToolRunner({ name: "a" }); }
export const later = hidden().finally(() => undefined);
export const found = async (): Promise<unknown> => (await hidden()).stop();
