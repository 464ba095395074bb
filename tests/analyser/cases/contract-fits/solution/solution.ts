import type { Options } from "./task-contract.js";
import { type Options as Again } from "../consumer/task-contract.js";
export const parse = (text: string | number, _options?: Options & Again): number => Number(text);
export const version = "1" as const;
export class Box { extra = 1; constructor(public size: number) {} }
export const more = 1;
export enum Kind { A }
