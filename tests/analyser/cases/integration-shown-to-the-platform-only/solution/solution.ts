import { approve, createAjvValidator, registry, ToolRunner } from "@alneas/appkit-core";
export const tag = String(createAjvValidator);
console.debug(approve);
export const same = Object.is(registry, undefined);
export const text = JSON.stringify({ ToolRunner });
