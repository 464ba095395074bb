import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
runner.run = async () => ({ ok: true, output: 1 });
ToolRunner.create = () => runner;
ToolRunner.prototype.children = () => [];
export {};
