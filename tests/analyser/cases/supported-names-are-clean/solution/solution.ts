import { AppkitError, configure, createAjvValidator, Level, ToolRunner } from "@alneas/appkit-core";
import { retry } from "@alneas/appkit-core/features/retry";
import { Store } from "@alneas/appkit-core/storage";
export async function main(): Promise<number> {
  const runner = new ToolRunner({ name: "a" });
  const result = await runner.run({});
  if (!result.ok && result.error instanceof AppkitError) return result.error.code.length;
  await retry(() => new Store().put(new Uint8Array()), 2);
  configure({ name: Level.High }, (event) => void event.at);
  return runner.stats.failures.hard + createAjvValidator({}).validate(1).issues.length;
}
