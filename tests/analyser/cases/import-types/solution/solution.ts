export type A = import("@alneas/appkit-core").Agent;
export type B = typeof import("@alneas/appkit-core");
export type C = typeof import("@alneas/appkit-core").createAgent;
export type D = import("@alneas/appkit-core/agents").Agent;
export type F = import("@alneas/appkit-core").ToolRunner;
export const f = (core: B): unknown => core.viaParameter;
