import { ToolRunner } from "@alneas/appkit-core";
export const value = new ToolRunner({ name: "a" })["stop" as keyof ToolRunner];
