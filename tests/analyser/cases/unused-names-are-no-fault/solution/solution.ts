import { ToolRunner } from "@alneas/appkit-core";
const unused = 1;
function never(): void { return; void unused; }
export {};
