/** Value use of required symbols: called, instantiated, rendered or passed as an argument (R-G4). */
import { argumentUse } from "./arguments.mjs";
import { neverRuns } from "./constants.mjs";
import { means, publicSymbols } from "./meaning.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {{symbols: string[], mode?: "all" | "any"}} Group
 * @typedef {"call" | "new" | "jsx" | "argument" | "other" | "type" | "dead"} UseKind
 * @typedef {{kind: UseKind, node: import("typescript").Node, unused: boolean}} Use
 * @typedef {{start: number, end: number, file: string}} Range
 */

const VALUE = ["call", "new", "jsx", "argument"];

/**
 * @param {Subject} s @param {Group[]} groups @param {{dead: Range[], unused: Range[]}} data
 * @param {import("./references.mjs").References} refs
 */
export function judgeIntegration(s, groups, data, refs) {
  const wanted = [...new Set(groups.flatMap(({ symbols }) => symbols))].sort();
  const found = new Map(wanted.map((name) => [name, usesOf(s, name, data)]));
  const integration = groups.map(({ symbols, mode = "all" }) => {
    const used = symbols.filter((name) => found.get(name)?.some(({ kind }) => VALUE.includes(kind)));
    const satisfied = mode === "any" ? used.length > 0 : used.length === symbols.length;
    if (satisfied) for (const name of used) onlyUnused(found.get(name) ?? [], refs);
    const missing = symbols.filter((name) => !used.includes(name));
    return { symbols, mode, satisfied, detail: satisfied ? "" : `not used as a value: ${missing.join(", ")}` };
  });
  const uses = Object.fromEntries(wanted.map((name) => [name, count(found.get(name) ?? [])]));
  return { integration, uses };
}

/** @param {Use[]} uses @param {import("./references.mjs").References} refs */
function onlyUnused(uses, refs) {
  const values = uses.filter(({ kind }) => VALUE.includes(kind));
  if (values.every(({ unused }) => unused))
    for (const { node } of values) refs.flag("integration-in-unused-code", node);
}

/** @param {Use[]} uses */
function count(uses) {
  /** @type {Record<UseKind, number>} */
  const total = { call: 0, new: 0, jsx: 0, argument: 0, other: 0, type: 0, dead: 0 };
  for (const { kind } of uses) total[kind] += 1;
  return total;
}

/** @param {Subject} s @param {string} name @param {{dead: Range[], unused: Range[]}} data @returns {Use[]} */
function usesOf(s, name, data) {
  const targets = publicSymbols(s, name);
  if (!targets.size) return [];
  /** @type {Use[]} */
  const uses = [];
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isDeclaring(node) && means(s, node, targets, 8)) {
      const whole = outer(node);
      const use = useOf(s, whole);
      const dead = VALUE.includes(use.kind) && (data.dead.some((range) => inside(range, node)) || neverRuns(s, node));
      uses.push({ kind: dead ? "dead" : use.kind, node, unused: !!use.doubtful || inUnused(node, data.unused) });
    }
    ts.forEachChild(node, visit);
  };
  for (const { source } of s.files) visit(source);
  return uses;
}

/** Names in import clauses and declarations are no uses. @param {import("typescript").Identifier} node */
function isDeclaring(node) {
  const { parent } = node;
  if (
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isJsxClosingElement(parent)
  )
    return true;
  if (ts.isExportSpecifier(parent))
    return !!parent.parent.parent.moduleSpecifier || (parent.propertyName !== undefined && parent.name === node);
  if (ts.isPropertyAccessExpression(parent)) return ts.isJsxClosingElement(parent.parent);
  if (ts.isParameter(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent))
    return parent.name === node;
  return (
    (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent)) &&
    (parent.name === node || parent.initializer !== node)
  );
}

/**
 * The whole expression that names it: `ns.x` for x, without parentheses and casts.
 *
 * @param {import("typescript").Node} node
 * @returns {import("typescript").Node}
 */
function outer(node) {
  const { parent } = node;
  if (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node)
  )
    return outer(parent);
  return peel(parent) !== parent && ts.isExpression(parent) ? outer(parent) : node;
}

/** @param {Subject} s @param {import("typescript").Node} node @returns {{kind: UseKind, doubtful?: boolean}} */
function useOf(s, node) {
  const kind = placeOf(node);
  return kind === "other" ? argumentUse(s, node) : { kind };
}

/** @param {import("typescript").Node} node @returns {UseKind} */
function placeOf(node) {
  const { parent } = node;
  if (isTypePosition(node)) return "type";
  if (ts.isCallExpression(parent) && parent.expression === node) return "call";
  if (ts.isTaggedTemplateExpression(parent) && parent.tag === node) return "call";
  if (ts.isDecorator(parent)) return "call";
  if (ts.isNewExpression(parent) && parent.expression === node) return "new";
  if (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent)) return "jsx";
  if (ts.isPropertyAccessExpression(parent) && /^(call|apply|bind)$/.test(parent.name.text)) {
    const call = outer(parent);
    if (ts.isCallExpression(call.parent) && call.parent.expression === call) return "call";
  }
  return "other";
}

/** @param {import("typescript").Node} node */
function isTypePosition(node) {
  return (
    ts.isPartOfTypeNode(node) ||
    ts.isTypeQueryNode(node.parent) ||
    ts.isQualifiedName(node.parent) ||
    (ts.isExpressionWithTypeArguments(node.parent) &&
      ts.isHeritageClause(node.parent.parent) &&
      node.parent.parent.token === ts.SyntaxKind.ImplementsKeyword)
  );
}

/** @param {Range} range @param {import("typescript").Node} node */
function inside(range, node) {
  return node.getSourceFile().fileName === range.file && node.getStart() >= range.start && node.end <= range.end;
}

/**
 * Does the node sit in a function or class that the compiler calls never read?
 *
 * @param {import("typescript").Node} node
 * @param {Range[]} unused
 */
function inUnused(node, unused) {
  for (let each = node.parent; each; each = each.parent) {
    const name = ts.isFunctionLike(each) || ts.isClassLike(each) ? nameOf(each) : undefined;
    if (name && unused.some((range) => inside(range, name))) return true;
  }
  return false;
}

/**
 * Its own name, or that of the variable or field which holds it.
 *
 * @param {import("typescript").SignatureDeclaration | import("typescript").ClassLikeDeclaration} node
 */
function nameOf(node) {
  if (node.name) return node.name;
  const holder = outer(node).parent;
  return ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) ? holder.name : undefined;
}
