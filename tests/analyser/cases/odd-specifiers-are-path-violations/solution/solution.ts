import a from "data:text/javascript,export default 1";
import b from "#internal";
import c from "https://example.org/x.js";
import d from "./missing.js";
export const values = [a, b, c, d];
