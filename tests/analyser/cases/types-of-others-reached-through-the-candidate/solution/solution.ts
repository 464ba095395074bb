import { createAjvValidator, registry } from "@alneas/appkit-core";
const validator = createAjvValidator<{ a: number }>({});
export const a = validator.ajv.nope;
export const b = validator.validate(1).value?.b;
export const c = registry({ x: 1 }).value.y;
