/** Takes the force out of `@ts-ignore` and its like: same length in memory, so every position stays true. */
import { ts } from "./ts.mjs";

/**
 * @typedef {{path: string, line: number, column: number}} Place
 * @param {Record<string, string>} files
 * @returns {{texts: Record<string, string>, suppressions: Place[]}}
 */
export function withoutSuppressions(files) {
  /** @type {Place[]} */
  const suppressions = [];
  const texts = Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const source = parse(path, text);
      const { result, positions } = disarm(path, text, source);
      for (const position of positions) {
        const { line, character } = source.getLineAndCharacterOfPosition(position);
        suppressions.push({ path, line: line + 1, column: character + 1 });
      }
      return [path, result];
    }),
  );
  return { texts, suppressions };
}

/** @param {string} path @param {string} text */
function parse(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2024, true);
}

/**
 * Only the last `@ts-nocheck` of a file is in force, so look again until none is left.
 *
 * @param {string} path @param {string} text @param {import("typescript").SourceFile} first
 */
function disarm(path, text, first) {
  /** @type {Set<number>} */
  const positions = new Set();
  let result = text;
  let source = first;
  for (;;) {
    const ranges = directives(source);
    if (!ranges.length) return { result, positions: [...positions].sort((a, b) => a - b) };
    for (const { pos, end } of ranges) {
      positions.add(pos);
      const comment = result.slice(pos, end).replace(/@ts-(?=ignore|expect-error|nocheck|check)/g, "@xx-");
      if (comment === result.slice(pos, end)) throw new Error(`a directive at ${pos} of ${path} cannot be disarmed`);
      result = result.slice(0, pos) + comment + result.slice(end);
    }
    source = parse(path, result);
  }
}

/** What the parser itself took for a directive. @param {import("typescript").SourceFile} source */
function directives(source) {
  const internal = /** @type {{commentDirectives?: {range: {pos: number, end: number}}[],
    checkJsDirective?: {enabled: boolean, pos: number, end: number}}} */ (/** @type {unknown} */ (source));
  const lines = (internal.commentDirectives ?? []).map(({ range }) => range);
  const check = internal.checkJsDirective;
  return check && !check.enabled ? [...lines, check] : lines;
}
