import { internalOnly } from "/consumer/node_modules/@alneas/appkit-core/lib/internal.js";
export const value = internalOnly();
export const later = import("file:///consumer/node_modules/@alneas/appkit-core/lib/bag.js");
