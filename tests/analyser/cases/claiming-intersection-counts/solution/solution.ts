import { ToolRunner } from "@alneas/appkit-core";
interface Extra { stop(): void }
const runner = new ToolRunner({ name: "a" }) as ToolRunner & Extra;
runner.stop();
export {};
