import { configure, ToolRunner } from "@alneas/appkit-core";
configure({ name: "a" }, (event) => {
  if (event.kind === "stop") void event.reason;
  void event.reason;
  void event.cause;
});
export const f = async (mine: { size: number } | ToolRunner): Promise<unknown> => {
  const result = await new ToolRunner({ name: "a" }).run(1);
  return [mine.size, mine.weight, result.value, result.ok ? result.data : result.error.code];
};
