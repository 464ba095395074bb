import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });

export const made = (): unknown => Object.create(runner).stop();
Object.getPrototypeOf(runner).run = (): number => 1;
