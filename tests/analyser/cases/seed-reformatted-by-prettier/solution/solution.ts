import { createAgent, type AgentKind } from "@alneas/appkit-core";
export const agent = createAgent({
  name: "a",
  kind: <AgentKind | string>"x",
  run: async (x) => x,
});
export type Kinds =
  | AgentKind
  | "other";
