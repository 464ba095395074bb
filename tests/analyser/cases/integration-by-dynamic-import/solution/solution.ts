export const f = async (): Promise<unknown> => (await import("@alneas/appkit-core")).createAjvValidator({});
export const g = async (): Promise<unknown> => {
  const { ToolRunner } = await import("@alneas/appkit-core");
  return new ToolRunner({ name: "a" });
};
