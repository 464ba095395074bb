const name = "@alneas/appkit-core";
export const f = (): Promise<unknown> => import(name);
export const told = "made with @alneas/appkit-core today";
