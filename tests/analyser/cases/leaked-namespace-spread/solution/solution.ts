import * as core from "@alneas/appkit-core";
const c: Record<string, any> = { ...core };
export const f = (): unknown => c.createAgent();
