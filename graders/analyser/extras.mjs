/** Own things given out as the candidate's: unknown options, a copy with a method replaced, members a guard claims. */
import { judgeMember } from "./judge.mjs";
import { appkitPart, inCandidate, inSubmission, isCandidates } from "./provenance.mjs";
import { isOwnLiteral } from "./review.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 * @typedef {import("typescript").Node} Node
 */

/** @param {Subject} s @param {References} refs @param {Node} node */
export function reviewExtras(s, refs, node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const declaration = s.checker.getResolvedSignature(node)?.declaration;
    if (declaration && inCandidate(s, declaration))
      for (const given of node.arguments ?? []) if (hasExtra(s, given)) refs.flag("cast-to-appkit", given);
  }
  if (ts.isObjectLiteralExpression(node)) {
    const replaced = replacedMethod(s, node);
    if (replaced) refs.flag("appkit-mutation", replaced);
  }
}

/**
 * The compiler looks for unknown names in fresh literals only: not in a variable, a spread or a table.
 *
 * @param {Subject} s @param {import("typescript").Expression} given
 */
function hasExtra(s, given) {
  const context = s.checker.getContextualType(given);
  const expected = context && s.checker.getNonNullableType(context);
  if (!expected || !appkitPart(s, expected) || s.checker.getIndexInfosOfType(expected).length) return false;
  const type = s.checker.getTypeAtLocation(given);
  if (appkitPart(s, type) || !(type.flags & ts.TypeFlags.Object)) return false;
  if (type.getStringIndexType()) return true;
  return (
    isLoose(s, given) && type.getProperties().some((each) => !isWritten(each, given) && isExtra(s, expected, each))
  );
}

/** Names in the literal itself are the compiler's. @param {import("typescript").Symbol} property @param {Node} given */
function isWritten({ valueDeclaration }, given) {
  return valueDeclaration?.parent === peel(given);
}

/** @param {Subject} s @param {import("typescript").Type} expected @param {import("typescript").Symbol} property */
function isExtra(s, expected, property) {
  return !isCandidates(s, property) && judgeMember(s, expected, property.name).status === "unsupported";
}

/**
 * A literal with a spread, or a variable that holds one without a type.
 *
 * @param {Subject} s @param {import("typescript").Expression} given
 */
function isLoose(s, given) {
  const node = /** @type {import("typescript").Expression} */ (peel(given));
  if (ts.isObjectLiteralExpression(node)) return node.properties.some(ts.isSpreadAssignment);
  const declaration = s.checker.getSymbolAtLocation(node)?.valueDeclaration;
  return !!declaration && ts.isVariableDeclaration(declaration) && !declaration.type && isOwnLiteral(s, node);
}

/**
 * `{ ...validator, validate: mine }`: a copy of what the candidate made that answers otherwise. What somebody else
 * gave may be decorated, and options are there to be replaced.
 *
 * @param {Subject} s @param {import("typescript").ObjectLiteralExpression} node
 */
function replacedMethod(s, node) {
  const at = node.properties.findIndex((each) => ts.isSpreadAssignment(each) && isMade(s, each.expression));
  const spread = node.properties[at];
  if (!spread || !ts.isSpreadAssignment(spread)) return undefined;
  const type = s.checker.getNonNullableType(s.checker.getTypeAtLocation(spread.expression));
  return node.properties.slice(at + 1).find((each) => {
    const name = each.name && !ts.isComputedPropertyName(each.name) && "text" in each.name ? each.name.text : "";
    const member = s.checker.getPropertyOfType(type, name);
    return !!member && isCandidates(s, member) && isRequiredMethod(member);
  });
}

/**
 * Did a call of the candidate's make it, here or in its variable?
 *
 * @param {Subject} s @param {Node} given @returns {boolean}
 */
function isMade(s, given) {
  const node = peel(given);
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const declaration = s.checker.getResolvedSignature(node)?.declaration;
    return !!declaration && inCandidate(s, declaration);
  }
  const declaration = ts.isIdentifier(node) ? s.checker.getSymbolAtLocation(node)?.valueDeclaration : undefined;
  return (
    !!declaration &&
    ts.isVariableDeclaration(declaration) &&
    !!declaration.initializer &&
    isMade(s, declaration.initializer)
  );
}

/** @param {import("typescript").Symbol} member */
function isRequiredMethod({ flags }) {
  return !!(flags & ts.SymbolFlags.Method) && !(flags & ts.SymbolFlags.Optional);
}

/**
 * A guard of the submission says of a candidate's value that it has more: `asserts v is T & { invented(): void }`.
 *
 * @param {Subject} s @param {References} refs @param {import("./sites.mjs").MemberSite} site
 */
export function reviewNarrowed(s, refs, { name, node, type, receiver }) {
  const inner = receiver && peel(receiver);
  const symbol = inner && ts.isIdentifier(inner) ? s.checker.getSymbolAtLocation(inner) : undefined;
  if (name === undefined || !symbol?.valueDeclaration || !inSubmission(s, symbol.valueDeclaration)) return;
  const declared = s.checker.getTypeOfSymbol(symbol);
  if (declared === type || !appkitPart(s, declared) || judgeMember(s, declared, name).status !== "unsupported") return;
  const found = s.checker.getPropertyOfType(s.checker.getNonNullableType(type), name);
  const claim = found?.declarations?.some((each) => inSubmission(s, each) && !ts.isClassLike(each.parent));
  if (claim) refs.flag("appkit-narrowed-member", node);
}
