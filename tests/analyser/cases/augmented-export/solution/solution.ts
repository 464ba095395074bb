import { createAgent } from "@alneas/appkit-core";
declare module "@alneas/appkit-core" {
  export function createAgent(): string;
}
export const made = createAgent();
