const load = (function () {}).constructor("return process");
const made = Object.getPrototypeOf(async function () {}).constructor("await import('node:fs')");
const { constructor: Maker } = () => 1;
const key = "construct";
const named = (() => 1)[`${key}or` as "constructor"]("return 1");
const reflected: unknown = Reflect.get(() => 1, "con" + "structor");
const described = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => 1), "constructor");
export const all = [described, load, made, Maker, named, reflected, "text".constructor.constructor("return 1")];
