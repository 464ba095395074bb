import * as core from "@alneas/appkit-core";
const api: any = Math.random() > 2 ? null : core;
const other: any = undefined ?? core;
export const values = [api.createAgent, other.makeAgent, (0, core as any).third];
