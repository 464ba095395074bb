import { internalOnly } from "../../node_modules/@alneas/appkit-core/lib/internal.js";
export const value = internalOnly();
