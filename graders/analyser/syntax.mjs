/** Shapes of expressions that change no value: casts, parentheses, `!` and `satisfies`. */
import { ts } from "./ts.mjs";

/**
 * @param {import("typescript").Node} node
 * @returns {node is import("typescript").AsExpression | import("typescript").TypeAssertion}
 */
export function isCast(node) {
  return ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
}

/**
 * Without parentheses, `!`, `satisfies` and casts.
 *
 * @param {import("typescript").Node} node
 * @returns {import("typescript").Node}
 */
export function peel(node) {
  const wrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    isCast(node);
  return wrapper ? peel(node.expression) : node;
}
