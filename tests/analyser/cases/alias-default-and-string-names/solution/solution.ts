import core, { createAgent as agent, "make agent" as make } from "@alneas/appkit-core";
import { default as other } from "@alneas/appkit-core/storage";
export const all = [core, agent, make, other];
