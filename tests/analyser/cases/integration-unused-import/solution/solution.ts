import { createAjvValidator } from "@alneas/appkit-core";
export const value = 1;
