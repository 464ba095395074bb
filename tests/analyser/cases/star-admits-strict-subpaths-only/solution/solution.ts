import { limits } from "@alneas/appkit-core";
import { Store } from "@alneas/appkit-core/storage";
export const values = [limits, Store];
