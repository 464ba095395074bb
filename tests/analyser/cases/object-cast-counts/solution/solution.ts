import * as core from "@alneas/appkit-core";
const table = core as Record<string, any>;
table.createAgent();
(core as Record<string, any>)["makeAgent"]();
export {};
