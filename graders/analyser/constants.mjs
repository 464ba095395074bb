/** What an expression is whatever happens: the values that constant conditions and constant keys have. */
import { inSubmission } from "./provenance.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Node} Node
 * @typedef {string | number | boolean | null | undefined} Primitive
 * @typedef {{value: Primitive} | undefined} Constant undefined when only the run time knows
 */

const HOPS = 8;

/** @type {Record<number, (a: any, b: any) => Primitive>} */
const OPERATORS = {
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.LessThanToken]: (a, b) => a < b,
  [ts.SyntaxKind.LessThanEqualsToken]: (a, b) => a <= b,
  [ts.SyntaxKind.GreaterThanToken]: (a, b) => a > b,
  [ts.SyntaxKind.GreaterThanEqualsToken]: (a, b) => a >= b,
  [ts.SyntaxKind.EqualsEqualsToken]: (a, b) => a == b,
  [ts.SyntaxKind.ExclamationEqualsToken]: (a, b) => a != b,
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: (a, b) => a === b,
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: (a, b) => a !== b,
  [ts.SyntaxKind.AmpersandAmpersandToken]: (a, b) => a && b,
  [ts.SyntaxKind.BarBarToken]: (a, b) => a || b,
  [ts.SyntaxKind.QuestionQuestionToken]: (a, b) => a ?? b,
};

/** @param {Subject} s @param {Node} given @param {number} [hops] @returns {Constant} */
export function constant(s, given, hops = HOPS) {
  const node = peel(given);
  if (hops <= 0) return undefined;
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isVoidExpression(node)) return { value: undefined };
  if (ts.isIdentifier(node)) return named(s, node, hops);
  if (ts.isPrefixUnaryExpression(node)) return prefixed(constant(s, node.operand, hops - 1), node.operator);
  if (ts.isTemplateExpression(node)) return template(s, node, hops);
  return ts.isBinaryExpression(node) ? combined(s, node, hops) : undefined;
}

/** A constant text. @param {Subject} s @param {Node} node @returns {string | undefined} */
export function constantText(s, node) {
  const found = constant(s, node);
  return typeof found?.value === "string" ? found.value : undefined;
}

/** @param {Subject} s @param {import("typescript").Identifier} node @param {number} hops @returns {Constant} */
function named(s, node, hops) {
  const symbol = s.checker.getSymbolAtLocation(node);
  const declaration = symbol?.valueDeclaration;
  if (node.text === "undefined" && !declaration) return { value: undefined };
  const fixed =
    declaration &&
    inSubmission(s, declaration) &&
    ts.isVariableDeclaration(declaration) &&
    ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const;
  return fixed && declaration.initializer ? constant(s, declaration.initializer, hops - 1) : undefined;
}

/** @param {Constant} operand @param {import("typescript").PrefixUnaryOperator} operator @returns {Constant} */
function prefixed(operand, operator) {
  if (operand && operator === ts.SyntaxKind.ExclamationToken) return { value: !operand.value };
  return operand && operator === ts.SyntaxKind.MinusToken ? { value: -Number(operand.value) } : undefined;
}

/** @param {Subject} s @param {import("typescript").TemplateExpression} node @param {number} hops @returns {Constant} */
function template(s, node, hops) {
  let value = node.head.text;
  for (const span of node.templateSpans) {
    const inner = constant(s, span.expression, hops - 1);
    if (!inner) return undefined;
    value += String(inner.value) + span.literal.text;
  }
  return { value };
}

/** @param {Subject} s @param {import("typescript").BinaryExpression} node @param {number} hops @returns {Constant} */
function combined(s, node, hops) {
  const operator = node.operatorToken.kind;
  const left = constant(s, node.left, hops - 1);
  if (left && decides(operator, left.value)) return left;
  const right = constant(s, node.right, hops - 1);
  // `input && false` is false or another falsy value: no condition that holds.
  if (right && !right.value && operator === ts.SyntaxKind.AmpersandAmpersandToken) return { value: false };
  const apply = OPERATORS[operator];
  return left && right && apply ? { value: apply(left.value, right.value) } : undefined;
}

/**
 * Is the right side of `&&`, `||` or `??` never looked at?
 *
 * @param {import("typescript").SyntaxKind} operator @param {Primitive} left
 */
function decides(operator, left) {
  if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return !left;
  if (operator === ts.SyntaxKind.BarBarToken) return !!left;
  return operator === ts.SyntaxKind.QuestionQuestionToken && left !== null && left !== undefined;
}

/** Sits the node where a constant keeps the program from ever going? @param {Subject} s @param {Node} node */
export function neverRuns(s, node) {
  for (let each = node; each.parent && !ts.isSourceFile(each); each = each.parent)
    if (skips(s, each.parent, each)) return true;
  return false;
}

/** @param {Subject} s @param {Node} parent @param {Node} child @returns {boolean} */
function skips(s, parent, child) {
  if (ts.isBinaryExpression(parent) && parent.right === child) {
    const left = constant(s, parent.left);
    return !!left && decides(parent.operatorToken.kind, left.value);
  }
  if (ts.isConditionalExpression(parent)) return branch(s, parent.condition, child, parent.whenTrue, parent.whenFalse);
  if (ts.isIfStatement(parent)) return branch(s, parent.expression, child, parent.thenStatement, parent.elseStatement);
  if (ts.isWhileStatement(parent)) return branch(s, parent.expression, child, parent.statement);
  if (ts.isForStatement(parent) && parent.condition)
    return (
      branch(s, parent.condition, child, parent.statement) || branch(s, parent.condition, child, parent.incrementor)
    );
  if (ts.isForOfStatement(parent)) return parent.statement === child && isEmptyList(parent.expression);
  return ts.isCallExpression(parent) && parent.expression !== child && ofEmptyList(parent.expression);
}

/**
 * @param {Subject} s @param {Node} condition @param {Node} child
 * @param {Node | undefined} whenTrue @param {Node} [whenFalse]
 */
function branch(s, condition, child, whenTrue, whenFalse) {
  if (child !== whenTrue && child !== whenFalse) return false;
  const known = constant(s, condition);
  return !!known && !!known.value === (child === whenFalse);
}

/** @param {Node} node */
function isEmptyList(node) {
  const inner = peel(node);
  return ts.isArrayLiteralExpression(inner) && inner.elements.length === 0;
}

/** `[].forEach`: it calls back nobody. @param {Node} callee */
function ofEmptyList(callee) {
  return (
    ts.isPropertyAccessExpression(callee) &&
    isEmptyList(callee.expression) &&
    /^(forEach|map|filter|some|every|find|findIndex|flatMap)$/.test(callee.name.text)
  );
}
