import { ToolRunner } from "@alneas/appkit-core";
export class Mine extends ToolRunner {
  override run(input: unknown) { this.hook(); super.hook(); super.finish(); return super.run(input); }
  override missing(): void {}
  static override make(): void {}
  added(): void {}
}
