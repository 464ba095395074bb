import type { ToolRunner } from "@alneas/appkit-core";
export const fake = { run() {} } as unknown as ToolRunner;
