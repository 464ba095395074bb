import { createAgent } from "@alneas/appkit-core";
import { createAgent as second } from "@alneas/appkit-core/storage";
export const both = [createAgent, second];
