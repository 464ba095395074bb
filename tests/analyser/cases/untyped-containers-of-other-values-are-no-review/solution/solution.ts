import { createAjvValidator, ToolRunner } from "@alneas/appkit-core";
const kept = new Map<string, any>();
const runner = new ToolRunner({ name: "a" });
export async function read(text: string): Promise<unknown> {
  kept.set("parsed", text.split(","));
  const { ok } = createAjvValidator({}).validate(kept.get("parsed"));
  const result = await runner.run(kept.get("parsed").length);
  return [ok, result.ok, [1, 2].reduce<any>((sum, each) => sum + each, 0).toFixed()];
}
