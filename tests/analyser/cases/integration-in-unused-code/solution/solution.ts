import { createAjvValidator } from "@alneas/appkit-core";
function never(): unknown { return createAjvValidator({}); }
const neither = (): unknown => createAjvValidator({});
export const value = 1;
