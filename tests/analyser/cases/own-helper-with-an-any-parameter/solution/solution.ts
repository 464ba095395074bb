import * as core from "@alneas/appkit-core";
const identity = (value: any): any => value;
export const made = identity(core).createAgent();
function use(value: unknown): string { return typeof value; }
export const used = use(core);
