import { AppkitError, createAjvValidator, Level, registry, ToolRunner, type ToolOptions } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const options: ToolOptions = { name: "a", metadata: {} };
console.log(runner, JSON.stringify(runner.stats), { runner });
const copy = { ...options, name: "b" };
options.retries = 3;
options.onDone = () => {};
export const keys = Object.keys(options);
export const entries = Object.entries(options.metadata ?? {});
export async function f(input: unknown): Promise<unknown> {
  try {
    const value = (await Promise.resolve(input)) as { id: string };
    const level = "high" as Level;
    const tuple = [runner, runner] as const;
    return [value.id, copy, level, tuple.length, registry(options).get("name"), await createAjvValidator({}).validate(input)];
  } catch (err) {
    if (err instanceof AppkitError) return (err as Error).message;
    return [(err as any).message, (err as AppkitError).code];
  }
}
