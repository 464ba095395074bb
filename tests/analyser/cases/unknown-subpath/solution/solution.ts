import { thing } from "@alneas/appkit-core/agents";
import type { Other } from "@alneas/appkit-core/agents";
export const value: Other = thing;
