const name = "node:" + "fs";
export const f = (): Promise<unknown> => import(name);
