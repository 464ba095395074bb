import { createAjvValidator } from "@alneas/appkit-core";
export function f(createAjvValidator: (x: object) => number): number { return createAjvValidator({}); }
