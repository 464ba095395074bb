import { AppkitError, createAjvValidator, ToolRunner, type ToolOptions, type Validator } from "@alneas/appkit-core";
interface Checker { validate(value: unknown): { ok: boolean }; name?: string }
interface Settings extends ToolOptions { owner?(): string }
const runners = new Map<string, ToolRunner>([["a", new ToolRunner({ name: "a" })]]);
const checker: Checker = createAjvValidator({});
const given: unknown[] = [Object.freeze(createAjvValidator({}))];
export const read = (text: string, input: unknown): unknown => {
  const parsed = JSON.parse(text);
  return [parsed.lines[0].sku, (input as any).total, given.length, checker.name];
};
export async function guard(...options: ToolOptions[]): Promise<string> {
  try {
    const [first] = await Promise.all(options.map(async (each) => new ToolRunner({ ...each, retries: 2 })));
    console.log(first, String(runners), Object.entries(options[0]), JSON.stringify({ first }));
    if (!first) throw new AppkitError("none");
    return first.stats.calls + String((await first.run({ input: options })).ok);
  } catch (error: any) {
    return `${error.detail} ${error.message} ${error.code}`;
  }
}
export const logged = (base: Validator<string>): Validator<string> => ({ ...base, validate: (value) => base.validate(value) });
export const settings = (own: Settings): ToolRunner => new ToolRunner(own);
export const more = (extra: Partial<ToolOptions>, signal?: number): ToolRunner => new ToolRunner({ name: "a", ...extra, ...(signal && { retries: signal }) });
