import * as core from "@alneas/appkit-core";
export const made = (core as any).createAgent();
