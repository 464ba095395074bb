/**
 * The fixed list of mistakes that are planted into right solutions (R-B1). Each operator looks at one node of the
 * TypeScript syntax tree and answers with edits; none knows a task or a library.
 *
 * Free text is nobody's contract, so of the strings only codes and the entries of tables of constants count.
 */
import { ts } from "../../graders/analyser/ts.mjs";

/** @typedef {{ start: number, end: number, text: string, at?: number }} Edit `at`: where the part begins, if not at start */
/** @typedef {import("typescript").Node} Node */
/** @typedef {(node: Node, source: import("typescript").SourceFile) => Edit[]} Operator */

const K = ts.SyntaxKind;
const BOUNDARY = new Map([
  [K.LessThanToken, "<="],
  [K.LessThanEqualsToken, "<"],
  [K.GreaterThanToken, ">="],
  [K.GreaterThanEqualsToken, ">"],
]);
const EQUALITY = new Map([
  [K.EqualsEqualsEqualsToken, "!=="],
  [K.ExclamationEqualsEqualsToken, "==="],
]);
const LOGICAL = new Map([
  [K.AmpersandAmpersandToken, "||"],
  [K.BarBarToken, "&&"],
]);
const ARITHMETIC = new Map([
  [K.PlusToken, "-"],
  [K.MinusToken, "+"],
  [K.PlusEqualsToken, "-="],
  [K.MinusEqualsToken, "+="],
]);
/** Functions whose result is a copy of their one argument. */
const COPYING = new Set(["structuredClone", "Uint8Array.from", "Array.from"]);

/** @param {Node} node @param {string} text @returns {Edit[]} */
const instead = (node, text) => [{ start: node.getStart(), end: node.end, text }];

/** @param {Map<number, string>} table @returns {Operator} */
const swapped = (table) => (node) => {
  if (!ts.isBinaryExpression(node)) return [];
  const other = table.get(node.operatorToken.kind);
  return other === undefined ? [] : instead(node.operatorToken, other);
};

/**
 * Conditions that no other operator decides.
 *
 * @param {Node} node @returns {import("typescript").Expression | undefined}
 */
function conditionOf(node) {
  if (ts.isIfStatement(node)) return isGuard(node) ? undefined : node.expression;
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression;
  return ts.isForStatement(node) ? node.condition : undefined;
}

/** An `if` that only ends a function or a round of a loop. @param {Node} node @returns {boolean} */
const isGuard = (node) => ts.isIfStatement(node) && !node.elseStatement && leaves(node.thenStatement);

/** @param {import("typescript").Expression} node @param {import("typescript").SourceFile} source */
function negation(node, source) {
  const text = node.getText(source);
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) return node.operand.getText(source);
  const [edit] = swapped(EQUALITY)(node, source);
  if (!edit) return `!(${text})`;
  const start = node.getStart(source);
  return text.slice(0, edit.start - start) + edit.text + text.slice(edit.end - start);
}

/** The condition of a guard or of `a ? b : c`: dropping the one and taking one branch show more. @param {Node} node */
const isDecided = ({ parent }) => parent !== undefined && (ts.isConditionalExpression(parent) || isGuard(parent));

/** Whether nothing could follow the promise anyway: `return await x` outside `try` is `return x`. @param {Node} node */
function isLastAwait(node) {
  let at = node.parent;
  if (!ts.isReturnStatement(at) && !ts.isArrowFunction(at)) return false;
  while (!ts.isFunctionLike(at) && !ts.isTryStatement(at)) at = at.parent;
  return ts.isFunctionLike(at);
}

/** @param {Node | undefined} node */
const isOptions = (node) => node !== undefined && ts.isObjectLiteralExpression(node);

/** `key: constant`, or what is spread in: an entry without entries of its own. @param {Node} node */
function isLeaf(node) {
  if (!ts.isPropertyAssignment(node)) return ts.isSpreadAssignment(node);
  const { initializer } = node;
  return ts.isLiteralExpression(initializer) || [K.TrueKeyword, K.FalseKeyword].includes(initializer.kind);
}

/** Removes one item and the comma beside it. @param {readonly Node[]} items @param {number} at @returns {Edit[]} */
function without(items, at) {
  const [item, before, after] = [items[at], items[at - 1], items[at + 1]];
  if (!item) return [];
  if (after) return [{ start: item.getStart(), end: after.getStart(), text: "" }];
  return [{ start: before ? before.end : item.getStart(), end: item.end, text: "", at: item.getStart() }];
}

/** @param {readonly Node[]} items @param {(item: Node) => boolean} [wanted] */
const eachWithout = (items, wanted = () => true) =>
  items.flatMap((item, at) => (wanted(item) ? without(items, at) : []));

/** @param {import("typescript").Statement} node @returns {boolean} the statement always leaves the function or loop */
function leaves(node) {
  if (ts.isBlock(node)) return node.statements.length > 0 && leaves(/** @type {any} */ (node.statements.at(-1)));
  return [K.ReturnStatement, K.ThrowStatement, K.ContinueStatement, K.BreakStatement].includes(node.kind);
}

/** What programs read: lower-case words joined by hyphens. */
const CODE = /^[a-z]+(-[a-z]+)+$/;

/** What stands in a list is dropped as a whole instead. @type {Operator} */
function stringChanged(node) {
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return [];
  const { parent } = node;
  if (ts.isArrayLiteralExpression(parent)) return [];
  if (ts.isPropertyName(node) && "name" in parent && parent.name === node) return [];
  return CODE.test(node.text) ? instead(node, '""') : [];
}

/** @type {Operator} */
function anchorDropped(node, source) {
  if (!ts.isStringLiteral(node) && node.kind !== K.RegularExpressionLiteral) return [];
  const [start, text] = [node.getStart(source), node.getText(source)];
  const tail = text.search(/\$(\/[a-z]*|["'])$/);
  return [
    ...(/^.\^/.test(text) ? [{ start: start + 1, end: start + 2, text: "" }] : []),
    ...(tail > 0 ? [{ start: start + tail, end: start + tail + 1, text: "" }] : []),
  ];
}

/** @type {Operator} */
function copyDropped(node, source) {
  const list = ts.isArrayLiteralExpression(node) ? node.elements : [];
  const only = ts.isObjectLiteralExpression(node) ? node.properties : list;
  const [first] = only;
  if (only.length === 1 && first && (ts.isSpreadAssignment(first) || ts.isSpreadElement(first))) {
    return instead(node, `(${first.expression.getText(source)})`);
  }
  if (!ts.isCallExpression(node) || !node.arguments[0]) return [];
  if (COPYING.has(node.expression.getText(source))) return instead(node, `(${node.arguments[0].getText(source)})`);
  return [];
}

/** @param {number} by @returns {Operator} */
const numberMoved = (by) => (node) => (ts.isNumericLiteral(node) ? instead(node, String(Number(node.text) + by)) : []);

/** @type {Record<string, Operator>} */
export const OPERATORS = {
  "condition-negated": (node, source) => {
    const condition = conditionOf(node);
    return condition ? instead(condition, negation(condition, source)) : [];
  },
  "boundary-moved": swapped(BOUNDARY),
  "equality-flipped": (node, source) => (isDecided(node) ? [] : swapped(EQUALITY)(node, source)),
  "logical-swapped": swapped(LOGICAL),
  "arithmetic-swapped": swapped(ARITHMETIC),
  "statement-dropped": (node) =>
    ts.isExpressionStatement(node) || (ts.isThrowStatement(node) && ![node.parent, node.parent.parent].some(isGuard))
      ? instead(node, ts.isBlock(node.parent) ? "" : ";")
      : [],
  "guard-dropped": (node) =>
    isGuard(node) ? instead(node, ";") : [],
  "await-dropped": (node, source) =>
    ts.isAwaitExpression(node) && !isLastAwait(node) ? instead(node, `(${node.expression.getText(source)})`) : [],
  "property-dropped": (node) => (ts.isObjectLiteralExpression(node) ? eachWithout(node.properties, isLeaf) : []),
  "attribute-dropped": (node) =>
    ts.isJsxSpreadAttribute(node) || (ts.isJsxAttribute(node) && node.initializer?.kind !== K.StringLiteral)
      ? instead(node, "")
      : [],
  "element-dropped": (node) =>
    ts.isArrayLiteralExpression(node) && node.elements.every(ts.isStringLiteral) ? eachWithout(node.elements) : [],
  "options-dropped": (node) =>
    (ts.isCallExpression(node) || ts.isNewExpression(node)) && node.arguments && isOptions(node.arguments.at(-1))
      ? without(node.arguments, node.arguments.length - 1)
      : [],
  "string-changed": stringChanged,
  "anchor-dropped": anchorDropped,
  "number-raised": numberMoved(1),
  // Raised everywhere, lowered where it is an entry: a limit has two sides, an index or a count has one.
  "number-lowered": (node, source) =>
    node.parent && ts.isPropertyAssignment(node.parent) ? numberMoved(-1)(node, source) : [],
  "boolean-flipped": (node) =>
    node.kind === K.TrueKeyword ? instead(node, "false") : node.kind === K.FalseKeyword ? instead(node, "true") : [],
  "catch-emptied": (node) =>
    ts.isCatchClause(node) && node.block.statements.length > 0 ? instead(node.block, "{}") : [],
  "catch-rethrows": (node) =>
    ts.isCatchClause(node)
      ? instead(node, `catch (unhandled) { throw unhandled; }`)
      : [],
  "finally-dropped": (node) =>
    ts.isTryStatement(node) && node.finallyBlock
      ? instead(node.finallyBlock, "{}")
      : [],
  "copy-dropped": copyDropped,
  "chain-unguarded": (node) =>
    node.kind === K.QuestionDotToken ? instead(node, ts.isPropertyAccessExpression(node.parent) ? "." : "") : [],
  "fallback-dropped": (node, source) =>
    ts.isBinaryExpression(node) && node.operatorToken.kind === K.QuestionQuestionToken
      ? instead(node, `(${node.left.getText(source)})`)
      : [],
  "fallback-always": (node, source) =>
    ts.isBinaryExpression(node) && node.operatorToken.kind === K.QuestionQuestionToken
      ? instead(node, `(${node.right.getText(source)})`)
      : [],
  "first-branch-always": (node, source) =>
    ts.isConditionalExpression(node) ? instead(node, `(${node.whenTrue.getText(source)})`) : [],
  "second-branch-always": (node, source) =>
    ts.isConditionalExpression(node) ? instead(node, `(${node.whenFalse.getText(source)})`) : [],
};

/** Types, imports and re-exports hold no behaviour. @param {Node} node */
export function holdsNoBehaviour(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}
