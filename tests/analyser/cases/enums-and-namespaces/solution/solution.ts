import { approve, Level, policies, presets } from "@alneas/appkit-core";
export const a = [Level.High, Level.Medium, policies.allow(), policies.askUser, presets.strict, presets.loose];
export const b = [presets.deep.make(), presets.deep.build, approve.always(), approve.never];
export const c = (shape: presets.Shape): unknown => [shape.side, shape.area];
export type D = presets.Form;
export type E = Level.Mid;
