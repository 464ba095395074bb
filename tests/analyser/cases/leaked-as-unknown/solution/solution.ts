import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const a: unknown[] = [runner];
export const f = (): unknown => (a[0] as any).stop();
export const g = (): void => a.forEach((each: unknown) => (each as any).stop());
