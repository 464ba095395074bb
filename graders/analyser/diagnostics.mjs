/** Diagnostics by category: by position first, by code second (static-analysis.md section 7). */
import { isCandidates } from "./provenance.mjs";
import { withoutPaths } from "./program.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Diagnostic} TsDiagnostic
 * @typedef {"syntax" | "unsupported-api" | "missing-dependency" | "wrong-arguments" | "contract" |
 *   "disallowed-import" | "type"} Category
 * @typedef {{category: Category, code: number | string, file: string, line: number, message: string,
 *   appkit?: boolean}} Diagnostic
 * @typedef {{start: number, end: number, file: string}} Range
 */

const DEAD = new Set([7027]);
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205]);
const DEPENDENCY = new Set([2307, 2792, 7016, 2875, 2882, 2688, 2580, 2582, 2591, 6053, 2664]);
const ARGUMENTS = new Set([2345, 2554, 2555, 2556, 2558, 2575, 2769, 2684]);
const IN_ARGUMENTS = new Set([2322, 2353, 2561, 2739, 2740, 2741, 2559, 2344, 2349, 2351, 2820, 2379]);
/** Not callable, not constructable: reported on the callee. */
const NOT_CALLABLE = new Set([2349, 2351]);
const LONGEST = 2000;

/**
 * What the compiler says of the submitted files; a file with syntax errors gets no other verdict than these.
 *
 * @param {Subject} s
 */
export function collect(s) {
  /** @type {TsDiagnostic[]} */
  const syntax = [];
  /** @type {TsDiagnostic[]} */
  const semantic = [];
  for (const { source } of s.files) {
    const broken = s.program.getSyntacticDiagnostics(source);
    syntax.push(...broken);
    semantic.push(...s.program.getSemanticDiagnostics(source).filter((each) => !broken.length || isData(each)));
  }
  return {
    syntax,
    semantic: semantic.filter((each) => !isData(each)),
    dead: ranges(semantic, DEAD),
    unused: ranges(semantic, UNUSED),
    broken: new Set(syntax.map((each) => each.file)),
  };
}

/** @param {TsDiagnostic} diagnostic */
function isData({ code }) {
  return DEAD.has(code) || UNUSED.has(code);
}

/** @param {TsDiagnostic[]} diagnostics @param {Set<number>} codes @returns {Range[]} */
function ranges(diagnostics, codes) {
  return diagnostics
    .filter(({ code, file }) => codes.has(code) && file)
    .map(({ file, start = 0, length = 0 }) => ({ file: file?.fileName ?? "", start, end: start + length }));
}

/**
 * @param {Subject} s @param {{syntax: TsDiagnostic[], semantic: TsDiagnostic[]}} found
 * @param {import("./references.mjs").References} refs @returns {Diagnostic[]}
 */
export function categorise(s, { syntax, semantic }, refs) {
  const references = refs.list();
  const lookUp = finder(references);
  const told = new Set();
  const result = syntax.map((each) => entry(s, each, "syntax"));
  for (const diagnostic of semantic) {
    const ref = lookUp(diagnostic);
    if (ref) told.add(ref);
    const category = ref ? "unsupported-api" : categoryOf(diagnostic);
    result.push({
      ...entry(s, diagnostic, category),
      ...(category === "wrong-arguments" ? { appkit: ofCandidate(s, diagnostic) } : {}),
    });
  }
  for (const { ref, occurrences } of references.filter((each) => !told.has(each.ref))) {
    const [first] = occurrences;
    result.push({
      category: "unsupported-api",
      code: "APPKIT",
      file: first.file,
      line: lineOf(first.name),
      message: `${ref} is not part of the public API of the installed package`,
    });
  }
  return result;
}

/**
 * The key of the reference that a diagnostic is about, by binary search: a file may hold thousands of both.
 *
 * @param {import("./references.mjs").Reference[]} references
 * @returns {(diagnostic: TsDiagnostic) => string | undefined}
 */
function finder(references) {
  const all = references.flatMap(({ ref, occurrences }) =>
    occurrences.map((each) => ({ ref, each, start: each.name.getStart() })),
  );
  const whole = all.filter(({ each }) => ts.isSourceFile(each.name));
  const named = all.filter(({ each }) => !ts.isSourceFile(each.name)).sort((a, b) => a.start - b.start);
  const byFile = Map.groupBy(named, ({ each }) => each.name.getSourceFile());
  return (diagnostic) => {
    const pragma = whole.find(({ each }) => concerns(diagnostic, each));
    if (pragma) return pragma.ref;
    const places = diagnostic.file ? (byFile.get(diagnostic.file) ?? []) : [];
    const { start = 0, length = 0 } = diagnostic;
    let low = 0;
    for (let high = places.length; low < high;) {
      const middle = (low + high) >> 1;
      if (places[middle].each.name.end <= start) low = middle + 1;
      else high = middle;
    }
    for (; low < places.length && places[low].start < start + length; low++) {
      if (concerns(diagnostic, places[low].each)) return places[low].ref;
    }
    return undefined;
  };
}

/**
 * On the name of a reference and not larger than the expression around it.
 *
 * @param {TsDiagnostic} diagnostic
 * @param {import("./references.mjs").Occurrence} occurrence
 */
function concerns({ file, start = 0, length = 0, code }, { name, whole }) {
  if (file !== name.getSourceFile()) return false;
  if (ts.isSourceFile(name)) return code === 2875;
  const end = start + length;
  return start < name.end && end > name.getStart() && start >= whole.getStart() && end <= Math.max(whole.end, name.end);
}

/** @param {TsDiagnostic} diagnostic @returns {Category} */
function categoryOf(diagnostic) {
  if (DEPENDENCY.has(diagnostic.code)) return "missing-dependency";
  if (ARGUMENTS.has(diagnostic.code)) return "wrong-arguments";
  return IN_ARGUMENTS.has(diagnostic.code) && argumentOwner(diagnostic) ? "wrong-arguments" : "type";
}

/**
 * The call or tag whose arguments a diagnostic lies in; statements of a callback's body are not arguments.
 *
 * @param {TsDiagnostic} diagnostic
 */
function argumentOwner(diagnostic) {
  let node = nodeAt(diagnostic);
  for (; node?.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isBlock(node) || ts.isClassElement(node)) return undefined;
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) return node;
    if (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent)) return parent;
    if (
      (ts.isCallExpression(parent) || ts.isNewExpression(parent)) &&
      (parent.expression !== node || NOT_CALLABLE.has(diagnostic.code))
    )
      return parent;
  }
  return undefined;
}

/**
 * The innermost node that spans a diagnostic.
 *
 * @param {TsDiagnostic} diagnostic
 * @returns {import("typescript").Node | undefined}
 */
function nodeAt({ file, start = 0, length = 0 }) {
  /** @param {import("typescript").Node} node @returns {import("typescript").Node} */
  const inner = (node) =>
    ts.forEachChild(node, (child) =>
      child.getStart(file) <= start && child.end >= start + length ? inner(child) : undefined,
    ) ?? node;
  return file && inner(file);
}

/** Is the callee or the tag the candidate's? @param {Subject} s @param {TsDiagnostic} diagnostic */
function ofCandidate(s, diagnostic) {
  let node = argumentOwner(diagnostic) ?? nodeAt(diagnostic);
  while (
    node &&
    !ts.isCallExpression(node) &&
    !ts.isNewExpression(node) &&
    !ts.isJsxOpeningElement(node) &&
    !ts.isJsxSelfClosingElement(node)
  )
    node = node.parent;
  if (!node) return false;
  const callee = ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node) ? node.tagName : node.expression;
  const symbol = s.checker.getSymbolAtLocation(ts.isPropertyAccessExpression(callee) ? callee.name : callee);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? s.checker.getAliasedSymbol(symbol) : symbol;
  const signature = s.checker.getResolvedSignature(node)?.declaration;
  return isCandidates(s, target) || (signature !== undefined && s.candidate.holds(signature.getSourceFile().fileName));
}

/** @param {Subject} s @param {TsDiagnostic} diagnostic @param {Category} category @returns {Diagnostic} */
function entry(s, diagnostic, category) {
  const own = s.files.find(({ source }) => source === diagnostic.file);
  const line = own ? own.source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line + 1 : 1;
  return {
    category,
    code: diagnostic.code,
    file: own?.path ?? "",
    line,
    message: bounded(s, ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")),
  };
}

/** @param {Subject} s @param {string} text */
export function bounded(s, text) {
  const clean = withoutPaths(s, text);
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
}

/** @param {import("typescript").Node} node */
export function lineOf(node) {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** @param {Diagnostic[]} diagnostics by file, line, code, message; equal ones once */
export function sorted(diagnostics) {
  const keyed = new Map(
    diagnostics.map((each) => [
      JSON.stringify([each.file, String(each.line).padStart(8, "0"), String(each.code), each.category, each.message]),
      each,
    ]),
  );
  return [...keyed.keys()].sort().map((key) => /** @type {Diagnostic} */ (keyed.get(key)));
}
