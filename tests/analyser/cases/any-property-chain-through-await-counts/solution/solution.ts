import { ToolRunner } from "@alneas/appkit-core";
export async function f(): Promise<unknown> {
  const started: any = await new ToolRunner({ name: "a" }).start("x", 1);
  const pending: any = new ToolRunner({ name: "a" }).start("x", 1);
  return [started.stats.sum, (await pending).later];
}
