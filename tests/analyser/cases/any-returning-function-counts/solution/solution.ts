import * as core from "@alneas/appkit-core";
function api(): any { return core; }
export const made = api().createAgent();
const later = async (): Promise<any> => core;
export const f = async (): Promise<unknown> => (await later()).makeAgent;
