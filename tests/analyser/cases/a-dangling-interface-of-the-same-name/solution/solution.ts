import { ToolRunner as Runner } from "@alneas/appkit-core";
interface ToolRunner { stop(): void }
export const f = (mine: ToolRunner): void => mine.stop();
export const runner = new Runner({ name: "a" });
