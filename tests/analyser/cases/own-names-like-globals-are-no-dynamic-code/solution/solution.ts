const evaluate = (text: string): number => text.length;
export class Function1 {}
export const isFunction = (value: unknown): boolean => value instanceof Function && typeof value === "function";
export const done = evaluate("eval");
