const evaluated = (globalThis as any)["ev" + "al"]("1");
const reflected = Reflect.get(globalThis, "Fun" + "ction") as (text: string) => () => unknown;
const other: any = globalThis;
const hidden = (globalThis as any).process.exit;
export const all = [evaluated, reflected, other, hidden];
