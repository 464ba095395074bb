/** Where an Appkit value goes into a type that hides it, and where something else is given out as Appkit's. */
import { reviewExtras } from "./extras.mjs";
import { expectedType } from "./holders.mjs";
import { hides } from "./origins.mjs";
import { appkitPart, inSubmission, isOpaque } from "./provenance.mjs";
import { isCast, peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 * @typedef {import("typescript").Expression} Expression
 */

/** @param {Subject} s @param {References} refs */
export function reviewCasts(s, refs) {
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    reviewExtras(s, refs, node);
    if (isCast(node)) cast(s, refs, node);
    else if (ts.isParameter(node)) callbackParameter(s, refs, node);
    else if (ts.isExpression(node) && escapes(s, node)) refs.flag("appkit-cast", node);
    ts.forEachChild(node, visit);
  };
  for (const { source } of s.files) visit(source);
}

/**
 * @param {Subject} s
 * @param {References} refs
 * @param {import("typescript").AsExpression | import("typescript").TypeAssertion} node
 */
function cast(s, refs, node) {
  if (ts.isConstTypeReference(node.type)) return;
  const source = s.checker.getTypeAtLocation(node.expression);
  const target = s.checker.getTypeAtLocation(node);
  const hidden = appkitPart(s, source) ? hides(s, source, target) : isOpaque(target) && carries(s, source);
  if (hidden) refs.flag("appkit-cast", node);
  const base = s.checker.getTypeAtLocation(peel(node));
  const unknown = base.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown);
  if (!unknown && appkitPart(s, target) && !appkitPart(s, base) && base.flags & ts.TypeFlags.Object)
    refs.flag("cast-to-appkit", node);
}

/** A promise or an array of the candidate's values. @param {Subject} s @param {import("typescript").Type} type */
function carries(s, type) {
  const inner = [s.checker.getAwaitedType(type), s.checker.getIndexTypeOfType(type, ts.IndexKind.Number)];
  return inner.some((each) => each !== undefined && appkitPart(s, each) !== undefined);
}

/**
 * `.then((core: any) => …)`: the annotation hides what the callback is given.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {import("typescript").ParameterDeclaration} node
 */
function callbackParameter(s, refs, node) {
  const given = node.type && isOpaque(s.checker.getTypeAtLocation(node)) ? expectedType(s, node) : undefined;
  if (given && appkitPart(s, given)) refs.flag("appkit-cast", node);
}

/**
 * Does an Appkit value reach a slot whose type is any, unknown or object?
 *
 * @param {Subject} s
 * @param {Expression} node
 */
function escapes(s, node) {
  if (!isSlot(node)) return false;
  const part = appkitPart(s, s.checker.getTypeAtLocation(node));
  if (!part || !isHidden(s, node)) return false;
  const whole =
    part.namespace || !!(part.symbol.flags & ts.SymbolFlags.Class && part.type.getConstructSignatures().length);
  const taker = takerOf(node);
  if (ts.isCallExpression(taker) || ts.isNewExpression(taker))
    return ownCallee(s, taker) || (whole && !isHarmless(taker));
  return whole || !isUnknown(s, node);
}

/**
 * `unknown` must be cast before it can be used, and the cast is a reason of its own.
 *
 * @param {Subject} s
 * @param {Expression} node
 */
function isUnknown(s, node) {
  const expected = s.checker.getContextualType(node);
  const settled = expected && (s.checker.getAwaitedType(expected) ?? expected);
  return !!settled && !(settled.isUnion() ? settled.types : [settled]).some((each) => each.flags & ts.TypeFlags.Any);
}

/** The positions from which a value goes on under another type. @param {Expression} node */
export function isSlot(node) {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent))
    return parent.initializer === node && parent.type !== undefined;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  if (ts.isBinaryExpression(parent))
    return parent.right === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return (
    ts.isReturnStatement(parent) ||
    (ts.isArrowFunction(parent) && parent.body === node) ||
    ts.isPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    (ts.isShorthandPropertyAssignment(parent) && parent.name === node)
  );
}

/** @param {Subject} s @param {Expression} node */
export function isHidden(s, node) {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return opaqueTarget(s, parent.left);
  const owner = ts.isReturnStatement(parent)
    ? enclosingFunction(parent)
    : ts.isArrowFunction(parent) && parent.body === node
      ? parent
      : undefined;
  if (owner && !owner.type) return false;
  const expected = s.checker.getContextualType(node);
  const settled = expected && (owner ? (s.checker.getAwaitedType(expected) ?? expected) : expected);
  return !!settled && opaqueUnion(settled);
}

/** @param {import("typescript").Type} type @returns {boolean} */
export function opaqueUnion(type) {
  return isOpaque(type) || (type.isUnion() && type.types.some(opaqueUnion));
}

/** An evolving `let x;` hides nothing; a declared any does. @param {Subject} s @param {Expression} left */
function opaqueTarget(s, left) {
  if (!isOpaque(s.checker.getTypeAtLocation(left))) return false;
  const declaration = ts.isIdentifier(left) ? s.checker.getSymbolAtLocation(left)?.valueDeclaration : undefined;
  return !declaration || !ts.isVariableDeclaration(declaration) || declaration.type !== undefined;
}

/** @param {import("typescript").Node} node */
export function enclosingFunction(node) {
  return /** @type {import("typescript").SignatureDeclaration | undefined} */ (
    ts.findAncestor(node, ts.isFunctionLike)
  );
}

/**
 * What finally takes the value: the call around nested literals, or the direct parent.
 *
 * @param {import("typescript").Node} node
 */
export function takerOf(node) {
  let each = node.parent;
  while (
    ts.isObjectLiteralExpression(each) ||
    ts.isArrayLiteralExpression(each) ||
    ts.isPropertyAssignment(each) ||
    ts.isShorthandPropertyAssignment(each) ||
    ts.isParenthesizedExpression(each)
  )
    each = each.parent;
  return each;
}

/** @param {Subject} s @param {import("typescript").CallExpression | import("typescript").NewExpression} call */
function ownCallee(s, call) {
  const declaration = s.checker.getResolvedSignature(call)?.declaration;
  return !!declaration && inSubmission(s, declaration);
}

/**
 * Printing a value passes nothing on, and reflection has a reason of its own.
 *
 * @param {import("typescript").CallExpression | import("typescript").NewExpression} call
 */
export function isHarmless(call) {
  return (
    ts.isPropertyAccessExpression(call.expression) &&
    ts.isIdentifier(call.expression.expression) &&
    ["console", "JSON", "Object", "Reflect"].includes(call.expression.expression.text)
  );
}
