import { AppkitError, createAjvValidator, ToolRunner } from "@alneas/appkit-core";
export class Mine extends ToolRunner {}
export const is = (error: unknown): boolean => error instanceof AppkitError;
export const alias = createAjvValidator;
export { createAjvValidator };
void ToolRunner;
