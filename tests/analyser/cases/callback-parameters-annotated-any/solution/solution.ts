import { ToolRunner } from "@alneas/appkit-core";
export const a = import("@alneas/appkit-core").then((core: any) => core.createAgent());
export const b = new ToolRunner({ name: "a" }).children().map((child: any) => child.stop());
export const c = ["x"].map((text: any) => text.size);
