import type { createAjvValidator } from "@alneas/appkit-core";
export type Made = ReturnType<typeof createAjvValidator>;
