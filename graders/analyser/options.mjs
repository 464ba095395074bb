/** Compiler options: the agent's own (tsconfig.consumer.json) plus what only the analysis needs. */
import { readFileSync } from "node:fs";
import { ts } from "./ts.mjs";

const shared = JSON.parse(readFileSync(new URL("./tsconfig.consumer.json", import.meta.url), "utf8"));

/**
 * @param {string} folder the consumer
 * @param {string} typeRoot folder that holds `node/`
 * @returns {import("typescript").CompilerOptions}
 */
export function analysisOptions(folder, typeRoot) {
  const { options, errors } = ts.convertCompilerOptionsFromJson(shared.compilerOptions, folder);
  if (errors.length) throw new Error(`tsconfig.consumer.json: ${String(errors[0].messageText)}`);
  return {
    ...options,
    typeRoots: [typeRoot],
    // Read as data, never failing: dead code (TS7027) and unreferenced names (TS6133).
    allowUnreachableCode: false,
    noUnusedLocals: true,
    noErrorTruncation: true,
  };
}

/** Options of the emit: one file at a time, ES modules, JSX compiled away. */
export function emitOptions() {
  const { options } = ts.convertCompilerOptionsFromJson(shared.compilerOptions, "/");
  const { target, jsx, isolatedModules, rewriteRelativeImportExtensions } = options;
  return {
    target,
    jsx,
    isolatedModules,
    rewriteRelativeImportExtensions,
    module: ts.ModuleKind.ESNext,
    newLine: ts.NewLineKind.LineFeed,
  };
}
