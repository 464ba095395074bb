import { createAjvValidator, parseText, registry, ToolRunner } from "@alneas/appkit-core";
const api = { make: createAjvValidator, parseText };
class Holder { readonly Runner = ToolRunner; go(): unknown { return new this.Runner({ name: "a" }); } }
export const a = [api.make({}), api.parseText("x"), new Holder().go()];
export const b = (reg = registry): unknown => reg({});
