import { configure, type ToolContext, ToolRunner } from "@alneas/appkit-core";
configure({ name: "a", execute: (_input, context) => context.abort() }, (event) => { void event.reason; void event.code; });
function last<T extends ToolRunner>(runner: T): unknown { return runner.latest; }
class Holder {
  runner = new ToolRunner({ name: "a" });
  get(): unknown { return this.runner.held; }
}
export const ready = new ToolRunner({ name: "a" }).children().map((child) => child.ready);
export const named = new ToolRunner({ name: "a" }).find("x")?.label;
export async function f({ logger }: ToolContext): Promise<unknown> {
  for (const child of new ToolRunner({ name: "a" }).children()) void child.looped;
  for (const { looked } of new ToolRunner({ name: "a" }).children()) void looked;
  return [(await new ToolRunner({ name: "a" }).start("a", 1)).started, last, Holder, logger];
}
