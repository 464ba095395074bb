/** Is a value that is given as an argument put to use? A printer or a comparison only looks at it (R-G4). */
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").CallExpression | import("typescript").NewExpression} Call
 * @typedef {{kind: "argument" | "other", doubtful?: boolean}} ArgumentUse
 *   doubtful: a container of the platform may hold it for ever, so a person must look
 */

/** @param {Subject} s @param {Node} node @returns {ArgumentUse} */
export function argumentUse(s, node) {
  const found = taker(node);
  if (!found) return { kind: "other" };
  if (!found.call || !isPlatforms(s, found.call) || callsBack(s, found.call, found.argument))
    return { kind: "argument" };
  if (onlyLooks(s, found.call)) return { kind: "other" };
  return { kind: "argument", doubtful: isDropped(found.call) };
}

/** Does nobody read the result? @param {Node} call */
function isDropped(call) {
  let { parent } = call;
  while (peel(parent) !== parent || ts.isAwaitExpression(parent)) parent = parent.parent;
  return ts.isExpressionStatement(parent) || ts.isVoidExpression(parent);
}

/**
 * What takes it, directly or nested in object, array, conditional or spread: a call, or a JSX attribute (no call).
 *
 * @param {Node} node
 * @returns {{call: Call | undefined, argument: Node} | undefined}
 */
function taker(node) {
  for (let each = node; each.parent; each = each.parent) {
    const { parent } = each;
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
      return parent.expression === each ? undefined : { call: parent, argument: each };
    if (ts.isJsxAttribute(parent) || ts.isJsxSpreadAttribute(parent)) return { call: undefined, argument: each };
    const carries =
      ts.isObjectLiteralExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isSpreadAssignment(parent) ||
      ts.isJsxExpression(parent) ||
      (ts.isConditionalExpression(parent) && parent.condition !== each) ||
      peel(parent) !== parent;
    if (!carries) return undefined;
  }
  return undefined;
}

/** Declared by the language, the browser or Node. @param {Subject} s @param {Call} call */
export function isPlatforms(s, call) {
  const source = s.checker.getResolvedSignature(call)?.declaration?.getSourceFile();
  return !!source && (s.program.isSourceFileDefaultLibrary(source) || /\/@types\/node\//.test(source.fileName));
}

/**
 * Does the parameter, as declared, take a function to call? A free `T` takes anything.
 *
 * @param {Subject} s @param {Call} call @param {Node} argument
 */
function callsBack(s, call, argument) {
  const parameters = s.checker.getResolvedSignature(call)?.declaration?.parameters ?? [];
  const at = call.arguments?.findIndex((each) => each === argument) ?? -1;
  const parameter = parameters[at];
  if (!parameter || ts.isJSDocParameterTag(parameter)) return false;
  const type = s.checker.getNonNullableType(s.checker.getTypeAtLocation(parameter));
  return (type.isUnion() ? type.types : [type]).some(
    (each) => each.getCallSignatures().length > 0 || each.symbol?.name === "Function",
  );
}

/**
 * Nothing of it can come out again: the result is a plain value, and no container took it in.
 *
 * @param {Subject} s @param {Call} call
 */
export function onlyLooks(s, call) {
  const result = s.checker.getTypeAtLocation(call);
  const plain =
    ts.TypeFlags.StringLike |
    ts.TypeFlags.NumberLike |
    ts.TypeFlags.BooleanLike |
    ts.TypeFlags.BigIntLike |
    ts.TypeFlags.VoidLike |
    ts.TypeFlags.Null;
  if (!(result.isUnion() ? result.types : [result]).every((each) => each.flags & plain)) return false;
  const callee = peel(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return true;
  const receiver = s.checker.getTypeAtLocation(callee.expression);
  return !s.checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (receiver)).length;
}
