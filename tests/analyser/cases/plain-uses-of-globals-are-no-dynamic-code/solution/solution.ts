interface Link { self: string; window: number; process(): string }
class Step { constructor(readonly name: string) {} copy(): Step { return new (this.constructor as typeof Step)(this.name); } process(): string { return this.constructor.name; } }
export const started = process.hrtime.bigint();
export const home = process.env.HOME ?? process.argv.join() + process.platform;
process.stdout.write("x");
process.nextTick(() => process.emitWarning("late"));
export const links = (data: any, link: Link): unknown => [data.self, data[home], link.self, link.window, link.process()];
export const plain = (value: object): boolean => value.constructor === Object || "window" in globalThis;
export const kind = (value: any): string => (value.constructor === Date ? value.constructor.name : typeof globalThis);
export const cloned = globalThis.structuredClone({ a: new Step("a").copy().process() });
const { crypto } = globalThis;
export const table = (rows: Record<string, number>, key: string): unknown => [rows[key], crypto.randomUUID(), (globalThis as { fetch?: unknown }).fetch];
