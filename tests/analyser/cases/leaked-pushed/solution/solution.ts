import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const a: any[] = [];
a.push(runner);
export const f = (): unknown => a[0].stop();
