import * as core from "@alneas/appkit-core";
import { ToolRunner } from "@alneas/appkit-core";
const table = new Map<string, any>();
table.set("core", core);
table.set("class", ToolRunner);
table.set("instance", new ToolRunner({ name: "a" }));
console.log(core, ToolRunner);
export { table };
