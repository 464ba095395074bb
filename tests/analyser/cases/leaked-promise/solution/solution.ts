import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
export const f = async (): Promise<unknown> => (await Promise.resolve<any>(runner)).stop();
