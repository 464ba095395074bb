import { internalOnly } from "../../node_modules/@alneas/appkit-core/dist/internal.js";
export const value = internalOnly();
