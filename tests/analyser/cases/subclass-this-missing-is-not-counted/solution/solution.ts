import { ToolRunner } from "@alneas/appkit-core";
export class Mine extends ToolRunner {
  go(): void { this.finish(); }
}
