import type { ToolOptions } from "@alneas/appkit-core";
type Mine = ToolOptions & { colour: string };
export const f = (options: Mine): unknown => [options.name, options.colour, options.flavour];
