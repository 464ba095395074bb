import { Size } from "./lib/helper.ts";
import { Size as Same } from "./lib/helper.js";
export const value = Size.Small + Same.Small;
