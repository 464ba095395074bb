import { ToolRunner } from "@alneas/appkit-core";
export async function f(): Promise<unknown> {
  const result = await new ToolRunner({ name: "a" }).run(1);
  return "error" in result ? result.error.code : result.output;
}
