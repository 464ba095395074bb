import { createAjvValidator } from "@alneas/appkit-core";
const result = createAjvValidator<any>({}).validate(1);
export const value = result.value.anything.goes;
