import * as core from "@alneas/appkit-core";
const api: any = core;
export const made = api.createAgent();
const { makeAgent } = api;
export { makeAgent };
