/** Whose is a symbol or a type: the candidate's, the submission's, or somebody else's. */
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {{symbol: import("typescript").Symbol, type: import("typescript").Type, namespace: boolean}} Part
 *   the candidate's share of a type: what names it, and whether it is a module namespace
 */

/** Library types that show their argument's own members. */
const TRANSPARENT = new Set(["Partial", "Required", "Readonly", "Pick", "Omit"]);

/** @param {Subject} s @param {import("typescript").Node} node */
export function inCandidate(s, node) {
  return s.candidate.holds(node.getSourceFile().fileName);
}

/** @param {Subject} s @param {import("typescript").Node} node */
export function inSubmission(s, node) {
  return node.getSourceFile().fileName.startsWith(`${s.folder}/`);
}

/** @param {Subject} s @param {import("typescript").Symbol | undefined} symbol */
export function isCandidates(s, symbol) {
  return !!symbol?.declarations?.some((declaration) => inCandidate(s, declaration));
}

/** @param {Subject} s @param {import("typescript").Symbol | undefined} symbol */
export function isOwn(s, symbol) {
  return !!symbol?.declarations?.length && symbol.declarations.every((declaration) => inSubmission(s, declaration));
}

/**
 * Every declaration in the candidate is tagged `@internal`.
 *
 * @param {Subject} s
 * @param {import("typescript").Symbol} symbol
 */
export function isInternal(s, symbol) {
  const declared = (symbol.declarations ?? []).filter((declaration) => inCandidate(s, declaration));
  return declared.length > 0 && declared.every(taggedInternal);
}

/** @param {import("typescript").Node} node */
function taggedInternal(node) {
  const nodes = ts.isExportSpecifier(node) && node.parent.elements.length === 1 ? [node, node.parent.parent] : [node];
  return nodes.some((each) => ts.getJSDocTags(each).some((tag) => tag.tagName.text === "internal"));
}

/**
 * Is it any, unknown, `object` or `{}`: a type that hides what the value is?
 *
 * @param {import("typescript").Type} type
 */
export function isOpaque(type) {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return true;
  return (
    !!(type.flags & ts.TypeFlags.Object) &&
    type.symbol?.name === "__type" &&
    !type.getProperties().length &&
    !type.getCallSignatures().length &&
    !type.getConstructSignatures().length &&
    !type.getStringIndexType()
  );
}

/**
 * The candidate's share of one type that is neither union nor intersection.
 *
 * @param {Subject} s @param {import("typescript").Type} type
 * @returns {Part | undefined}
 */
export function simplePart(s, type) {
  const { symbol } = type;
  if (isMapped(type)) return mappedPart(s, type);
  if (!symbol || !(type.flags & ts.TypeFlags.Object) || !isCandidates(s, symbol)) return undefined;
  const module = symbol.flags & ts.SymbolFlags.Module;
  const value = symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class | ts.SymbolFlags.Enum);
  return { symbol, type, namespace: !!module && !value };
}

/** @param {import("typescript").Type} type */
function isMapped(type) {
  return (
    !!(type.flags & ts.TypeFlags.Object) &&
    !!(/** @type {import("typescript").ObjectType} */ (type).objectFlags & ts.ObjectFlags.Mapped)
  );
}

/**
 * `Partial<Runner>` shows Runner's members; a mapped type of the candidate over the user's own type shows the user's.
 *
 * @param {Subject} s @param {import("typescript").Type} type
 * @returns {Part | undefined}
 */
function mappedPart(s, type) {
  const declaration = /** @type {{declaration?: import("typescript").MappedTypeNode}} */ (/** @type {unknown} */ (type))
    .declaration;
  if (!declaration) return undefined;
  if (inCandidate(s, declaration)) {
    const constraint = declaration.typeParameter.constraint;
    return constraint && !mentionsTypeParameter(s, constraint)
      ? { symbol: type.symbol, type, namespace: false }
      : undefined;
  }
  const alias = type.aliasSymbol;
  if (!alias || !(TRANSPARENT.has(alias.name) || isOwn(s, alias)) || !overKeys(declaration)) return undefined;
  const argument = type.aliasTypeArguments?.[0];
  return argument && appkitPart(s, argument);
}

/**
 * `[K in keyof T]`, or `[P in K]` with `K extends keyof T`.
 *
 * @param {import("typescript").MappedTypeNode} declaration
 */
function overKeys(declaration) {
  const constraint = declaration.typeParameter.constraint;
  if (!constraint) return false;
  return (
    /\bkeyof\s+[A-Z]\w*/.test(constraint.getText()) ||
    (ts.isTypeReferenceNode(constraint) && /^(Pick|Omit)$/.test(aliasName(declaration)))
  );
}

/** @param {import("typescript").Node} node */
function aliasName(node) {
  return ts.isTypeAliasDeclaration(node.parent) ? node.parent.name.text : "";
}

/** @param {Subject} s @param {import("typescript").Node} node @returns {boolean} */
function mentionsTypeParameter(s, node) {
  if (ts.isIdentifier(node) && (s.checker.getSymbolAtLocation(node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter)
    return true;
  return !!ts.forEachChild(node, (child) => mentionsTypeParameter(s, child) || undefined);
}

/**
 * The candidate's share of any type: the first constituent that is its own decides the name.
 *
 * @param {Subject} s @param {import("typescript").Type} given
 * @returns {Part | undefined}
 */
export function appkitPart(s, given) {
  const type = visible(s, given);
  if (!type.isUnionOrIntersection()) return simplePart(s, type);
  const parts = type.types.map((each) => appkitPart(s, each)).filter((part) => part !== undefined);
  if (!parts.length) return undefined;
  const alias = aliasOf(s, type);
  return alias ? { symbol: alias, type, namespace: false } : parts[0];
}

/**
 * Without null and undefined, type parameters by their constraint.
 *
 * @param {Subject} s
 * @param {import("typescript").Type} type
 */
export function visible(s, type) {
  // In this order: taking null off a free type parameter T gives `T & {}`, which holds T again.
  return s.checker.getNonNullableType(type.flags & ts.TypeFlags.Instantiable ? s.checker.getApparentType(type) : type);
}

/**
 * The candidate's alias of a union or intersection, also after `| undefined` was taken off.
 *
 * @param {Subject} s @param {import("typescript").UnionOrIntersectionType} type
 */
function aliasOf(s, type) {
  if (isCandidates(s, type.aliasSymbol)) return type.aliasSymbol;
  for (const { file } of s.candidate.entries) {
    const source = s.program.getSourceFile(file);
    const module = source && s.checker.getSymbolAtLocation(source);
    for (const exported of module ? s.checker.getExportsOfModule(module) : []) {
      const target = resolved(s, exported);
      if (target.flags & ts.SymbolFlags.TypeAlias && sameParts(s.checker.getDeclaredTypeOfSymbol(target), type))
        return target;
    }
  }
  return undefined;
}

/** @param {import("typescript").Type} declared @param {import("typescript").UnionOrIntersectionType} type */
function sameParts(declared, type) {
  return (
    declared.isUnionOrIntersection() &&
    declared.flags === type.flags &&
    declared.types.length === type.types.length &&
    declared.types.every((each) => type.types.includes(each))
  );
}

/** The end of an alias chain. @param {Subject} s @param {import("typescript").Symbol} symbol */
export function resolved(s, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? s.checker.getAliasedSymbol(symbol) : symbol;
}
