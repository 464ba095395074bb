import { createAjvValidator } from "@alneas/appkit-core";
export const validator = createAjvValidator({});
