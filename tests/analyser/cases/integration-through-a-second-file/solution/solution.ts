import { make } from "./helper.js";
export const validator = make({});
