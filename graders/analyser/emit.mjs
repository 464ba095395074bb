/** JavaScript of a submission: emitted, not stripped, so that enums, JSX and elided type imports work in Node. */
import { emitOptions } from "./options.mjs";
import { ts } from "./ts.mjs";

/**
 * Files with syntax errors have no JavaScript; type errors change nothing.
 *
 * @param {Record<string, string>} files the submitted texts @param {Set<string>} broken paths with syntax errors
 * @returns {Record<string, string>} relative path to text
 */
export function emit(files, broken) {
  const compilerOptions = emitOptions();
  const emitted = Object.entries(files)
    .filter(([path]) => !broken.has(path))
    .map(([path, text]) => [
      path.replace(/\.tsx?$/, ".js"),
      ts.transpileModule(text, { fileName: path, compilerOptions }).outputText,
    ]);
  return Object.fromEntries(emitted.sort());
}
