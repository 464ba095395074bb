/** The pinned compiler, loaded from the toolchain folder that the command line names: never the consumer's. */
import { createRequire } from "node:module";
import { join } from "node:path";

/** Folder that holds `node_modules/typescript` and `node_modules/@types/node`. */
export const toolchain = process.argv[2] ?? "";

const require = createRequire(join(toolchain, "toolchain.js"));

/** @type {typeof import("typescript")} */
export const ts = require("typescript");
