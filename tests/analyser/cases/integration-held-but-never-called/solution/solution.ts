import { createAjvValidator } from "@alneas/appkit-core";
export const api = { make: createAjvValidator };
export const f = (make = createAjvValidator): string => typeof make;
