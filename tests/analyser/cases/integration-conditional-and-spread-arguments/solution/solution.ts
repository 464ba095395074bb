import { createAjvValidator, parseText } from "@alneas/appkit-core";
const run = (...given: unknown[]): number => given.length;
export const a = run(Math.random() > 2 ? createAjvValidator : null, ...[parseText]);
