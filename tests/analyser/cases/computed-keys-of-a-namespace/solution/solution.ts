import * as core from "@alneas/appkit-core";
export const a = (core as any)["create" + "Agent"];
export const { ["limits"]: b } = core;
