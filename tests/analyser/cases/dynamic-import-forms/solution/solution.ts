export async function f(): Promise<unknown> {
  const core = await import("@alneas/appkit-core");
  const { createAgent, ToolRunner } = await import("@alneas/appkit-core");
  const made = await import("@alneas/appkit-core").then((m) => m.makeAgent);
  const other = (await import(`@alneas/appkit-core/agents`)).thing;
  return [core.buildAgent, createAgent, made, other, new ToolRunner({ name: "a" })];
}
