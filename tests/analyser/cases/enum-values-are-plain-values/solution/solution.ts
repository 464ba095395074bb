import { Level } from "@alneas/appkit-core";
const level = Level.High as Level;
export const a = (level as string).toUpperCase();
export const b: unknown = Level.Low;
export const c = level.size;
