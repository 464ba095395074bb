import { Options } from "../consumer/task-contract.js";
export const parse = (text: string): number => text.length + ({ a: 1 } satisfies Options).a;
