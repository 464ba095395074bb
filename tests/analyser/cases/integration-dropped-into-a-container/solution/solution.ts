import { createAjvValidator, ToolRunner } from "@alneas/appkit-core";
const kept: unknown[] = [];
kept.push(createAjvValidator);
void Promise.resolve(ToolRunner);
