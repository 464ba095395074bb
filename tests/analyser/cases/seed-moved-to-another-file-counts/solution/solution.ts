export { agent } from "./helper.js";
