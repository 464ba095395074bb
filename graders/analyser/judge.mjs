/** Is a member or an export part of the candidate's public API? Read from its declarations, never from diagnostics. */
import { moduleOf } from "./candidate.mjs";
import { isCandidates, isInternal, isOwn, appkitPart, resolved, simplePart, visible } from "./provenance.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {"missing" | "hidden" | "internal" | "augmented" | "narrowed"} Why
 * @typedef {{status: "ok" | "opaque" | "foreign" | "subclass"} |
 *   {status: "unsupported", why: Why, owner: import("typescript").Symbol, namespace: boolean}} Verdict
 */

/** @type {Verdict} */
const OK = { status: "ok" };
/** @type {Verdict} */
const FOREIGN = { status: "foreign" };

/**
 * The export of a module or namespace by name, `undefined` when it is public; else why not.
 *
 * @param {Subject} s
 * @param {import("typescript").Symbol} module
 * @param {string} name
 * @returns {Why | undefined}
 */
export function judgeExport(s, module, name) {
  const found = s.checker.getExportsOfModule(module).find((symbol) => symbol.name === name);
  if (!found) return "missing";
  const target = resolved(s, found);
  if (!target.declarations?.length) return "missing";
  if (isOwn(s, target)) return "augmented";
  return isInternal(s, found) || isInternal(s, target) ? "internal" : undefined;
}

/**
 * @param {Subject} s
 * @param {import("typescript").Type} given the receiver's type
 * @param {string} name
 * @param {boolean} [self] the receiver is `this` or `super`
 * @returns {Verdict}
 */
export function judgeMember(s, given, name, self = false) {
  const type = visible(s, given);
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return { status: "opaque" };
  if (type.isUnion() && !(type.flags & ts.TypeFlags.EnumLike)) return judgeUnion(s, type, name, self);
  const apparent = s.checker.getApparentType(type);
  const namespace = simplePart(s, type);
  if (namespace?.namespace) {
    const why = judgeExport(s, namespace.symbol, name);
    return why ? { status: "unsupported", why, owner: namespace.symbol, namespace: true } : OK;
  }
  const found = s.checker.getPropertyOfType(apparent, name);
  return found ? judgeFound(s, apparent, found, self) : judgeMissing(s, apparent, name);
}

/**
 * A union lacks a member only when no constituent has it and at least one is the candidate's.
 *
 * @param {Subject} s
 * @param {import("typescript").UnionType} type
 * @param {string} name
 * @param {boolean} self
 * @returns {Verdict}
 */
function judgeUnion(s, type, name, self) {
  const verdicts = type.types.map((each) => judgeMember(s, each, name, self));
  const has = type.types.some(
    (each, i) =>
      verdicts[i].status === "ok" ||
      (verdicts[i].status === "foreign" && s.checker.getPropertyOfType(s.checker.getApparentType(each), name)),
  );
  if (has) return OK;
  const found = verdicts.filter((verdict) => verdict.status === "unsupported");
  const hidden = found.find((verdict) => verdict.why !== "missing");
  if (hidden) return hidden;
  const part = appkitPart(s, type);
  return found.length && part
    ? { ...found[0], owner: part.symbol }
    : (verdicts.find(({ status }) => status !== "ok") ?? FOREIGN);
}

/**
 * @param {Subject} s @param {import("typescript").Type} type @param {import("typescript").Symbol} found
 * @param {boolean} self @returns {Verdict}
 */
function judgeFound(s, type, found, self) {
  const part = appkitPart(s, type);
  if (isCandidates(s, found)) {
    const why = hidden(s, found, self);
    const owner = parentOf(found) ?? part?.symbol;
    return why && owner ? { status: "unsupported", why, owner, namespace: false } : OK;
  }
  if (!part) return FOREIGN;
  if (type.isIntersection()) return judgeMixed(s, type, found, part);
  const merged =
    part.symbol.flags &
    (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.Enum | ts.SymbolFlags.Function);
  if (merged && part.type === type && isOwn(s, found)) {
    return { status: "unsupported", why: "augmented", owner: part.symbol, namespace: false };
  }
  return OK;
}

/** @param {Subject} s @param {import("typescript").Symbol} found @param {boolean} self @returns {Why | undefined} */
function hidden(s, found, self) {
  if (isInternal(s, found)) return "internal";
  const flags = (found.declarations ?? []).map(ts.getCombinedModifierFlags);
  if (flags.some((flag) => flag & ts.ModifierFlags.Private)) return "hidden";
  return !self && flags.some((flag) => flag & ts.ModifierFlags.Protected) ? "hidden" : undefined;
}

/** @param {import("typescript").Symbol} symbol @returns {import("typescript").Symbol | undefined} */
function parentOf(symbol) {
  return /** @type {{parent?: import("typescript").Symbol}} */ (/** @type {unknown} */ (symbol)).parent;
}

/**
 * A member that only another part of an intersection has: fine when that part is the user's own type, unsupported
 * when it is the `Record<"x", unknown>` that `"x" in value` makes.
 *
 * @param {Subject} s @param {import("typescript").IntersectionType} type @param {import("typescript").Symbol} found
 * @param {import("./provenance.mjs").Part} part @returns {Verdict}
 */
function judgeMixed(s, type, found, part) {
  const holders = type.types.filter((each) => s.checker.getPropertyOfType(s.checker.getApparentType(each), found.name));
  const augmented = holders
    .map((each) => judgeMember(s, each, found.name))
    .find(({ status }) => status === "unsupported");
  if (augmented) return augmented;
  const claimed =
    holders.length > 0 && holders.every((each) => each.aliasSymbol?.name === "Record" && !isOwn(s, each.aliasSymbol));
  return claimed
    ? { status: "unsupported", why: "narrowed", owner: part.symbol, namespace: false }
    : { status: "foreign" };
}

/** @param {Subject} s @param {import("typescript").Type} type @param {string} name @returns {Verdict} */
function judgeMissing(s, type, name) {
  if (indexed(s, type, name)) return OK;
  const part = appkitPart(s, type);
  // `Pick<Options, "name">` lacks what Options has: a type error of the user, not an invention.
  if (part && part.type !== type && s.checker.getPropertyOfType(part.type, name)) return FOREIGN;
  if (part) return { status: "unsupported", why: "missing", owner: part.symbol, namespace: false };
  return extendsCandidate(s, type) ? { status: "subclass" } : FOREIGN;
}

/**
 * Any key under an index signature exists.
 *
 * @param {Subject} s
 * @param {import("typescript").Type} type
 * @param {string} name
 */
function indexed(s, type, name) {
  return s.checker
    .getIndexInfosOfType(type)
    .some(
      ({ keyType }) =>
        s.checker.isTypeAssignableTo(s.checker.getStringLiteralType(name), keyType) ||
        (keyType.flags & ts.TypeFlags.Number && /^\d+$/.test(name)),
    );
}

/**
 * Does a class of the submission inherit from the candidate?
 *
 * @param {Subject} s
 * @param {import("typescript").Type} type
 * @returns {boolean}
 */
export function extendsCandidate(s, type) {
  const instance =
    type.symbol && type.symbol.flags & ts.SymbolFlags.Class ? s.checker.getDeclaredTypeOfSymbol(type.symbol) : type;
  const bases =
    instance.isClassOrInterface() && instance.symbol.flags & ts.SymbolFlags.Class
      ? s.checker.getBaseTypes(instance)
      : [];
  return bases.some((base) => appkitPart(s, base) !== undefined || extendsCandidate(s, base));
}

/** Does the entry file's module exist in this program? @param {Subject} s @param {string} specifier */
export function entryModule(s, specifier) {
  const entry = s.candidate.entries.find((each) => each.specifier === specifier);
  return entry && moduleOf(s, entry.file);
}
