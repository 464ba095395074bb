import { createRequire } from "node:module";
import process from "node:process";
export const a = eval("1");
export const b = new Function("return 1");
export const c = globalThis.eval("2");
const load = createRequire(import.meta.url);
export const d = load("@alneas/appkit-core");
export const e = process.getBuiltinModule("node:fs");
