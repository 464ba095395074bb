import { ToolRunner } from "@alneas/appkit-core";
const runner = new ToolRunner({ name: "a" });
const t = new EventTarget();
export const f = (): void => { t.addEventListener("a", (e: any) => e.detail.stop()); t.dispatchEvent(new CustomEvent<any>("a", { detail: runner })); };
