import { ToolRunner } from "@alneas/appkit-core";
const box: { runner: any } = { runner: new ToolRunner({ name: "a" }) };
class Holder { runner: any = new ToolRunner({ name: "a" }); go(): void { this.runner.halt(); } }
let late: any;
late = new ToolRunner({ name: "a" });
box.runner.stop();
late.pause();
export { Holder };
