import * as core from "@alneas/appkit-core";
export const a = core.missingOne;
export const b = core?.missingTwo;
export const c = core["missingThree"];
export const d = core[`missingFour`];
export type E = core.MissingFive;
export type F = typeof core.missingSix;
export type G = (typeof core)["missingSeven"];
export const fine = core.limits.max;
