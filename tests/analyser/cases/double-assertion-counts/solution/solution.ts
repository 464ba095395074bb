import * as core from "@alneas/appkit-core";
const mine = core as unknown as { createAgent(): void };
mine.createAgent();
export {};
