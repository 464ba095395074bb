/**
 * Tables of constants, such as a schema or a fixed answer. Every solution of a task repeats them, so the same mistake
 * in the same entry is tried in one solution only; code is mutated wherever it stands.
 */
import { ts } from "../../graders/analyser/ts.mjs";

/** @typedef {import("typescript").Node} Node */

const DEEP = 3;
const LITERALS = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword];

/**
 * The entry of a table that begins at an offset: its key below the key around it, and the constant itself.
 *
 * @param {import("typescript").SourceFile} source @param {number} offset
 * @returns {string | undefined} undefined when what stands there is no part of a table
 */
export function entryAt(source, offset) {
  const path = pathTo(source, offset);
  if (!path.some(isTable)) return undefined;
  const keys = path.filter(ts.isPropertyAssignment).map((node) => node.name.getText(source));
  const last = path.at(-1);
  const constant = last && ts.isLiteralExpression(last) ? last.text : "";
  return [...keys.slice(-2), constant].join("/");
}

/** @param {import("typescript").SourceFile} source @param {number} offset */
function pathTo(source, offset) {
  const path = [];
  /** @type {Node | undefined} */
  let at = source;
  while (at) {
    path.push(at);
    at = ts.forEachChild(at, (child) => (child.getStart(source) <= offset && offset < child.end ? child : undefined));
  }
  return path;
}

/** Literals only; in a deep table, names of constants too. @param {Node} node */
const isTable = (node) =>
  ts.isObjectLiteralExpression(node) && (isConstant(node, false) || (levels(node) >= DEEP && isConstant(node, true)));

/** @param {Node} node @returns {number} */
function levels(node) {
  const below = Math.max(0, ...partsOf(node).map(levels));
  return below + (ts.isObjectLiteralExpression(node) ? 1 : 0);
}

/** @param {Node} node @returns {readonly Node[]} */
function partsOf(node) {
  if (ts.isObjectLiteralExpression(node)) return node.properties;
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  if (ts.isPropertyAssignment(node)) return [node.initializer];
  return ts.isSpreadAssignment(node) || ts.isAsExpression(node) ? [node.expression] : [];
}

/** @param {Node} node @param {boolean} names @returns {boolean} */
function isConstant(node, names) {
  const parts = partsOf(node);
  if (parts.length || ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) {
    return parts.every((part) => isConstant(part, names));
  }
  const named = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isShorthandPropertyAssignment(node);
  if (named) return names;
  return ts.isLiteralExpression(node) || ts.isPrefixUnaryExpression(node) || LITERALS.includes(node.kind);
}
