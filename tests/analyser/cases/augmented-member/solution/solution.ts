import { ToolRunner } from "@alneas/appkit-core";
declare module "@alneas/appkit-core" {
  interface ToolRunner { stop(): void }
  interface ToolOptions { timeout?: number }
}
new ToolRunner({ name: "a", timeout: 5 }).stop();
export {};
