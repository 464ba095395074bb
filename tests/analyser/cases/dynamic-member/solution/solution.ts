import * as core from "@alneas/appkit-core";
import { ToolRunner } from "@alneas/appkit-core";
export const f = (name: string): unknown => (core as Record<string, unknown>)[name];
export const g = (name: keyof ToolRunner): unknown => new ToolRunner({ name: "a" })[name];
