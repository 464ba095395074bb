import type { StartEvent, ToolOptions } from "@alneas/appkit-core";
export const a = (options: Partial<ToolOptions>): unknown => options.timeout;
export const b = (options: Readonly<ToolOptions>): unknown => options.deadline;
export const c = (options: Omit<ToolOptions, "name">): unknown => options.limit;
export const d = (event: Required<StartEvent>): unknown => event.at;
export const e = (table: Record<"x", ToolOptions>): unknown => table.x.colour;
