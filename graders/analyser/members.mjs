/** Judges every member reference of a submission and names the unsupported ones. */
import { chain, missingThroughStar } from "./bindings.mjs";
import { judgeMember } from "./judge.mjs";
import { key, memberKey } from "./naming.mjs";
import { launderedType } from "./origins.mjs";
import { appkitPart, inSubmission, visible } from "./provenance.mjs";
import { memberSites } from "./sites.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 * @typedef {import("./sites.mjs").MemberSite} MemberSite
 */

/** @param {Subject} s @param {References} refs */
export function judgeMembers(s, refs) {
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    for (const site of memberSites(s, node)) judgeSite(s, refs, site);
    ts.forEachChild(node, visit);
  };
  for (const { source } of s.files) visit(source);
}

/** @param {Subject} s @param {References} refs @param {MemberSite} site */
function judgeSite(s, refs, site) {
  if (site.name === undefined) return computed(s, refs, site);
  if (site.cast && appkitPart(s, site.type)) refs.flag("dynamic-member", site.node);
  const verdict = judgeMember(s, site.type, site.name, site.self);
  if (verdict.status === "unsupported") return record(s, refs, site, verdict);
  if (verdict.status === "subclass") return refs.flag("subclass-missing-member", site.node);
  if (verdict.status === "foreign") throughOwnModule(s, refs, site, site.name);
  if (site.receiver) laundered(s, refs, site, site.receiver, site.name);
}

/**
 * `core[name]`: only its run time knows the member.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {MemberSite} site
 */
function computed(s, refs, site) {
  const hidden = site.receiver && launderedType(s, site.receiver);
  const type = hidden ?? site.type;
  if (!appkitPart(s, type) || (!ts.isElementAccessExpression(site.whole) && !ts.isBindingElement(site.whole))) return;
  const argument = ts.isComputedPropertyName(site.node) ? site.node.expression : site.node;
  const asked = s.checker.getTypeAtLocation(argument);
  const indexed = s.checker
    .getIndexInfosOfType(visible(s, type))
    .some(({ keyType }) => s.checker.isTypeAssignableTo(asked, keyType));
  if (!indexed) refs.flag("dynamic-member", site.node);
}

/**
 * The receiver's own type says nothing, or claims a member: ask where the value came from.
 *
 * @param {Subject} s @param {References} refs @param {MemberSite} site
 * @param {import("typescript").Expression} receiver @param {string} name
 */
function laundered(s, refs, site, receiver, name) {
  const type = launderedType(s, receiver);
  if (!type) return;
  refs.flag("laundered-member", site.node);
  const verdict = judgeMember(s, type, name, site.self);
  if (verdict.status === "unsupported") record(s, refs, { ...site, type }, verdict);
}

/**
 * @param {Subject} s
 * @param {References} refs
 * @param {MemberSite} site
 * @param {import("./judge.mjs").Verdict & {status: "unsupported"}} verdict
 */
function record(s, refs, site, verdict) {
  const name = site.name ?? "";
  if (verdict.why !== "missing") refs.flag(`appkit-${verdict.why}-member`, site.node);
  if (!verdict.namespace) {
    refs.add("member", memberKey(s, verdict.owner, name), site.node, site.whole);
    return;
  }
  const written = site.path && writtenPath(s, site.path, 8);
  const ref = written ? key(written[0], [...written.slice(1), name]) : memberKey(s, verdict.owner, name);
  refs.add("symbol", ref, site.node, site.whole);
}

/**
 * `h.missing` where the own file h re-exports everything of the candidate.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {MemberSite} site
 * @param {string} name
 */
function throughOwnModule(s, refs, site, name) {
  const { symbol } = site.type;
  const module =
    symbol?.flags & ts.SymbolFlags.ValueModule &&
    symbol.declarations?.some((each) => ts.isSourceFile(each) && inSubmission(s, each));
  const ref = module ? missingThroughStar(s, symbol, name) : undefined;
  if (ref) refs.add("symbol", ref, site.node, site.whole);
}

/**
 * Specifier and names by which the submission reached a namespace: `["pkg", "policies"]`.
 *
 * @param {Subject} s @param {import("typescript").Node} given @param {number} hops @returns {string[] | undefined}
 */
export function writtenPath(s, given, hops) {
  const node = peel(given);
  if (hops <= 0) return undefined;
  if (ts.isStringLiteralLike(node)) return s.candidate.owns(node.text) ? [node.text] : undefined;
  if (ts.isAwaitExpression(node)) return writtenPath(s, node.expression, hops - 1);
  if (ts.isCallExpression(node))
    return node.expression.kind === ts.SyntaxKind.ImportKeyword
      ? writtenPath(s, node.arguments[0], hops - 1)
      : undefined;
  if (ts.isPropertyAccessExpression(node)) return append(writtenPath(s, node.expression, hops - 1), node.name.text);
  if (ts.isQualifiedName(node)) return append(writtenPath(s, node.left, hops - 1), node.right.text);
  const symbol = ts.isIdentifier(node) ? s.checker.getSymbolAtLocation(node) : undefined;
  return (
    symbol &&
    [symbol, ...chain(s, symbol)]
      .map((each) => ofDeclaration(s, each.declarations?.[0], hops - 1))
      .find((path) => path !== undefined)
  );
}

/** @param {string[] | undefined} path @param {string} name */
function append(path, name) {
  return path && [...path, name];
}

/**
 * @param {Subject} s
 * @param {import("typescript").Node | undefined} node
 * @param {number} hops
 * @returns {string[] | undefined}
 */
function ofDeclaration(s, node, hops) {
  if (!node || !inSubmission(s, node)) return undefined;
  if (ts.isNamespaceImport(node)) return writtenPath(s, node.parent.parent.moduleSpecifier, hops);
  if (ts.isNamespaceExport(node))
    return node.parent.moduleSpecifier && writtenPath(s, node.parent.moduleSpecifier, hops);
  if (ts.isImportClause(node)) return append(writtenPath(s, node.parent.moduleSpecifier, hops), "default");
  if (ts.isImportSpecifier(node))
    return append(
      writtenPath(s, node.parent.parent.parent.moduleSpecifier, hops),
      (node.propertyName ?? node.name).text,
    );
  if (ts.isExportSpecifier(node)) {
    const from = node.parent.parent.moduleSpecifier;
    return from && append(writtenPath(s, from, hops), (node.propertyName ?? node.name).text);
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
    return writtenPath(s, node.moduleReference.expression, hops);
  if (ts.isVariableDeclaration(node) && node.initializer) return writtenPath(s, node.initializer, hops);
  if (ts.isBindingElement(node) && ts.isVariableDeclaration(node.parent.parent) && node.parent.parent.initializer) {
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) ? append(writtenPath(s, node.parent.parent.initializer, hops), name.text) : undefined;
  }
  return undefined;
}
