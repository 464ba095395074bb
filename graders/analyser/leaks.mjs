/**
 * Candidate's values that go where no type follows, and untyped values that are asked for what no leaked type has.
 * Each alone is ordinary code: a printed validator, a parsed text. Together, the one may be the other.
 */
import { enclosingFunction, isHarmless, isHidden, isSlot, opaqueUnion, takerOf } from "./casts.mjs";
import { isPlatforms, onlyLooks } from "./arguments.mjs";
import { reviewNarrowed } from "./extras.mjs";
import { judgeMember } from "./judge.mjs";
import { launderedType } from "./origins.mjs";
import { appkitPart, inCandidate, inSubmission, isOwn } from "./provenance.mjs";
import { memberSites } from "./sites.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").Type} Type
 * @typedef {{types: Type[], thrown: boolean, claims: Set<import("typescript").Symbol>}} Leaks
 *   claims: optional methods that a type of the submission says a candidate's value may have
 */

/** @param {Subject} s @param {References} refs */
export function reviewLeaks(s, refs) {
  /** @type {Leaks} */
  const leaks = { types: [], thrown: false, claims: new Set() };
  walk(s, (node) => ts.isExpression(node) && leak(s, leaks, node));
  walk(s, (node) => {
    for (const site of memberSites(s, node)) {
      reviewNarrowed(s, refs, site);
      if (claimed(s, leaks, site) || (leaks.types.length && isAsked(s, leaks, site)))
        refs.flag("laundered-member", site.node);
    }
  });
}

/** @param {Subject} s @param {(node: Node) => void} look */
function walk(s, look) {
  /** @param {Node} node */
  const visit = (node) => {
    look(node);
    ts.forEachChild(node, visit);
  };
  for (const { source } of s.files) visit(source);
}

/** @param {Subject} s @param {Leaks} leaks @param {import("typescript").Expression} node */
function leak(s, leaks, node) {
  const { parent } = node;
  if (ts.isThrowStatement(parent)) {
    const type = candidates(s, node);
    if (type && !s.checker.getPropertyOfType(type, "stack")) leaks.thrown = !!leaks.types.push(type);
    return;
  }
  const spread = ts.isSpreadAssignment(parent) && parent.expression === node;
  if (!isSlot(node) && !isLateSlot(node) && !spread) return;
  const type = candidates(s, node);
  if (!type) return;
  const expected = spread ? s.checker.getContextualType(parent.parent) : undefined;
  if (spread ? expected && isUntyped(expected) : goesUntyped(s, node)) leaks.types.push(type);
  else for (const claim of claims(s, type, s.checker.getContextualType(node))) leaks.claims.add(claim);
}

/**
 * The candidate's type, also inside a promise or a list, or given by a function.
 *
 * @param {Subject} s @param {Node} node
 */
function candidates(s, node) {
  const type = s.checker.getTypeAtLocation(node);
  const inner = [
    type,
    s.checker.getAwaitedType(type),
    s.checker.getIndexTypeOfType(type, ts.IndexKind.Number),
    ...s.checker.getTypeArguments(/** @type {import("typescript").TypeReference} */ (type)),
    ...type.getCallSignatures().map((each) => each.getReturnType()),
  ];
  return inner.find((each) => each !== undefined && appkitPart(s, each) !== undefined);
}

/** Slots of values that come later or only sometimes. @param {Node} node */
function isLateSlot(node) {
  const { parent } = node;
  if (ts.isParameter(parent) || ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isBinaryExpression(parent)) return parent.right === node && isAssignment(parent.operatorToken.kind);
  if (ts.isForOfStatement(parent)) return parent.expression === node && ts.isExpression(parent.initializer);
  return ts.isYieldExpression(parent) || ts.isJsxExpression(parent) || ts.isSpreadElement(parent);
}

/** @param {import("typescript").SyntaxKind} operator */
function isAssignment(operator) {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

/** @param {Subject} s @param {import("typescript").Expression} node */
function goesUntyped(s, node) {
  const { parent } = node;
  const parameter = boundParameter(s, node);
  if (parameter) return isUntyped(s.checker.getTypeAtLocation(parameter));
  const bound = boundName(parent);
  const expected = bound ? s.checker.getTypeAtLocation(bound) : s.checker.getContextualType(node);
  const returned = ts.isReturnStatement(parent) || ts.isArrowFunction(parent);
  if (!expected || !(isUntyped(expected) || (!returned && !bound && isHidden(s, node)))) return false;
  return returned ? returnsUntyped(s, node) : comesBack(s, takerOf(node));
}

/** What the parent puts the value into, where no contextual type tells. @param {Node} parent */
function boundName(parent) {
  if (ts.isBindingElement(parent)) return parent.name;
  if (ts.isForOfStatement(parent)) return parent.initializer;
  return ts.isBinaryExpression(parent) ? parent.left : undefined;
}

/**
 * The parameter that `f.call(self, v)`, `f.apply(self, [v])` or `f.bind(self, v)` gives the value to.
 *
 * @param {Subject} s @param {Node} node
 */
function boundParameter(s, node) {
  const inList = ts.isArrayLiteralExpression(node.parent);
  const call = inList ? node.parent.parent : node.parent;
  const callee = ts.isCallExpression(call) ? peel(call.expression) : undefined;
  if (!ts.isCallExpression(call) || !callee || !ts.isPropertyAccessExpression(callee)) return undefined;
  if (!(inList ? /^apply$/ : /^(call|apply|bind)$/).test(callee.name.text)) return undefined;
  const signature = s.checker.getTypeAtLocation(callee.expression).getCallSignatures()[0]?.declaration;
  const parameters = [...(signature?.parameters ?? [])].filter(ts.isParameter);
  const self = parameters.find((each) => each.name.getText() === "this");
  const others = parameters.filter((each) => each !== self);
  if (ts.isArrayLiteralExpression(node.parent)) return others[node.parent.elements.findIndex((each) => each === node)];
  const at = call.arguments.findIndex((each) => each === node);
  return at === 0 ? self : others[at - 1];
}

/** any, unknown and their like, or a table, a list or a function of any. @param {Type} type @returns {boolean} */
function isUntyped(type) {
  if (opaqueUnion(type)) return true;
  const held = type.getStringIndexType();
  if (held && held.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  const parts = [type.getNumberIndexType(), ...type.getCallSignatures().map((each) => each.getReturnType())];
  return parts.some((each) => !!each && !!(each.flags & ts.TypeFlags.Any));
}

/** Only what is given out as any by code that is not the candidate's. @param {Subject} s @param {Node} node */
function returnsUntyped(s, node) {
  const owner = enclosingFunction(node);
  if (!owner || !ts.isExpression(owner) || owner.type) return !!owner?.type;
  return comesBack(s, takerOf(owner));
}

/** Can what takes the value give it out again? @param {Subject} s @param {Node} taker */
function comesBack(s, taker) {
  if (!ts.isCallExpression(taker) && !ts.isNewExpression(taker)) return true;
  const declaration = s.checker.getResolvedSignature(taker)?.declaration;
  if (isHarmless(taker) || (declaration && inCandidate(s, declaration))) return false;
  return !isPlatforms(s, taker) || !onlyLooks(s, taker);
}

/**
 * Optional methods of the submission's own type that the candidate's value does not have.
 *
 * @param {Subject} s @param {Type} type @param {Type | undefined} expected
 */
function claims(s, type, expected) {
  if (!expected || !isOwn(s, expected.symbol) || appkitPart(s, expected)) return [];
  return s.checker
    .getPropertiesOfType(s.checker.getNonNullableType(expected))
    .filter(
      (each) =>
        isOwn(s, each) &&
        each.flags & ts.SymbolFlags.Optional &&
        s.checker.getNonNullableType(s.checker.getTypeOfSymbol(each)).getCallSignatures().length > 0 &&
        judgeMember(s, type, each.name).status === "unsupported",
    );
}

/** @param {Subject} s @param {Leaks} leaks @param {import("./sites.mjs").MemberSite} site */
function claimed(s, leaks, site) {
  const found =
    site.name === undefined
      ? undefined
      : s.checker.getPropertyOfType(s.checker.getNonNullableType(site.type), site.name);
  return !!found && leaks.claims.has(found);
}

/**
 * An untyped value of unknown origin is asked for a member that a leaked type lacks.
 *
 * @param {Subject} s @param {Leaks} leaks @param {import("./sites.mjs").MemberSite} site
 */
function isAsked(s, leaks, site) {
  if (!isOpen(s, site)) return false;
  const { name } = site;
  const root = site.receiver ? rootOf(site.receiver) : site.whole;
  if (site.receiver && launderedType(s, site.receiver)) return false;
  if (isParsed(s, root) || isGiven(s, root) || (isCaught(s, root) && !leaks.thrown)) return false;
  return name === undefined || leaks.types.some((type) => judgeMember(s, type, name).status === "unsupported");
}

/**
 * Has the value any member: by any itself, or by a table of any?
 *
 * @param {Subject} s @param {import("./sites.mjs").MemberSite} site
 */
function isOpen(s, { type, name }) {
  if (type.flags & ts.TypeFlags.Any) return true;
  const named = name !== undefined && s.checker.getPropertyOfType(s.checker.getApparentType(type), name);
  return !named && !!((type.getStringIndexType()?.flags ?? 0) & ts.TypeFlags.Any);
}

/** `a` of `a.b[0].c()`. @param {Node} given @returns {Node} */
function rootOf(given) {
  const node = peel(given);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return rootOf(node.expression);
  return ts.isAwaitExpression(node) ? rootOf(node.expression) : node;
}

/** What a parser gave: no value of this program. @param {Subject} s @param {Node} root @returns {boolean} */
function isParsed(s, root) {
  if (ts.isCallExpression(root)) return /(^|\.)(JSON\.parse|json)$/.test(root.expression.getText());
  const declaration = ts.isIdentifier(root) ? s.checker.getSymbolAtLocation(root)?.valueDeclaration : undefined;
  const value = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return !!value && inSubmission(s, value) && isParsed(s, rootOf(value));
}

/**
 * A parameter that is `unknown` to its function: from outside, or from a call here that has a reason of its own. What
 * a callback is given may have come out of a container.
 *
 * @param {Subject} s @param {Node} root
 */
function isGiven(s, root) {
  const declaration = ts.isIdentifier(root) ? s.checker.getSymbolAtLocation(root)?.valueDeclaration : undefined;
  if (!declaration || !ts.isParameter(declaration) || declaration.initializer) return false;
  const passed = ts.isCallExpression(declaration.parent.parent) || ts.isNewExpression(declaration.parent.parent);
  return !passed && !!(s.checker.getTypeAtLocation(declaration).flags & ts.TypeFlags.Unknown);
}

/** @param {Subject} s @param {Node} root */
function isCaught(s, root) {
  const declaration = ts.isIdentifier(root) ? s.checker.getSymbolAtLocation(root)?.valueDeclaration : undefined;
  return !!declaration && ts.isCatchClause(declaration.parent);
}
