import type { AgentOptions } from "@alneas/appkit-core";
import { type RunnerLike, ToolRunner } from "@alneas/appkit-core";
export const f = (options: AgentOptions, like: RunnerLike): ToolRunner => new ToolRunner({ name: String([options, like]) });
