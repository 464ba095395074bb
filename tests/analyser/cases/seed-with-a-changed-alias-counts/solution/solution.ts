import { createAgent as make } from "@alneas/appkit-core";
export const agent = make({ name: "a" });
