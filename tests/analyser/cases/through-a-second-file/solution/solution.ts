import { agent, core, ToolRunner } from "./helper.js";
import * as helper from "./helper.ts";
import { again } from "./helper.js";
export const values = [agent, core.makeAgent, helper.core.makeRunner, new ToolRunner({ name: "a" }).stop, again, helper.never];
