import type { ToolOptions } from "@alneas/appkit-core";
export const a = (options: Pick<ToolOptions, "name">): unknown => options.retries;
