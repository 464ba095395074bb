import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const x = [runner];
const y: any[] = x;
export const f = (): unknown => y[0].stop();
