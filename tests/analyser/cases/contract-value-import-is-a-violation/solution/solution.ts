import { parse as declared, type Options } from "./task-contract.js";
export const parse = (text: string): number => declared(text) + ({ a: 1 } satisfies Options).a;
