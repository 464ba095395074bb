import { ToolRunner } from "@alneas/appkit-core";
import { kept } from "./kept.ts";
kept.set("v", new ToolRunner({ name: "a" }));
