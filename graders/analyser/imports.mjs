/** Judges import and re-export bindings, and follows what they are called later. */
import { bindingText, bindings, chain, missingThroughStar } from "./bindings.mjs";
import { judgeExport } from "./judge.mjs";
import { key } from "./naming.mjs";
import { classify, importSites } from "./specifiers.mjs";
import { canonicalUse } from "./statements.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 * @typedef {import("./specifiers.mjs").Site & {kind: import("./specifiers.mjs").Kind}} Classified
 * @typedef {import("./bindings.mjs").Binding} Binding
 */

/** @param {Subject} s @param {References} refs @param {string[]} allowed @returns {Classified[]} */
export function judgeImports(s, refs, allowed) {
  const sites = importSites(s).map((site) => ({ ...site, kind: classify(s, site, allowed) }));
  for (const site of sites) {
    if (site.kind.unsupported) unresolved(s, refs, site, site.kind.unsupported);
    else if (site.kind.scope === "candidate") named(s, refs, site);
  }
  const relative = sites.filter((site) => site.kind.scope === "own");
  // A binding may pass through several files: repeat until nothing new is found.
  for (let before = -1; before !== refs.bindings.size;) {
    before = refs.bindings.size;
    for (const site of relative) passedOn(s, refs, site);
  }
  for (const file of s.files) {
    file.source.statements.forEach((node) => invented(s, refs, node));
    uses(s, refs, file.source);
  }
  return sites;
}

/**
 * `declare module` for a module of the candidate that does not exist.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {import("typescript").Node} node
 */
function invented(s, refs, node) {
  if (!ts.isModuleDeclaration(node) || !ts.isStringLiteral(node.name)) return;
  const { text } = node.name;
  if (s.candidate.owns(text) && !s.candidate.specifiers.has(text))
    refs.add("import", text, node.name, node.name, `declare module ${JSON.stringify(text)}`);
}

/**
 * An unresolved module counts once; its bindings add nothing but their occurrences.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {Classified} site
 * @param {string} ref
 */
function unresolved(s, refs, site, ref) {
  const place = site.literal ?? site.declaration;
  const bound = bindings(site.declaration);
  for (const binding of bound) {
    const reference = refs.add("import", ref, place, place, bindingText(site, binding));
    bind(s, refs, binding, reference);
  }
  if (bound.length) return;
  const inExpression = ["dynamic", "require", "type"].includes(site.form);
  refs.add(
    "import",
    ref,
    place,
    place,
    inExpression ? canonicalUse(place) : `${site.form} ${JSON.stringify(site.specifier)}`,
  );
}

/**
 * @param {Subject} s
 * @param {References} refs
 * @param {Binding} binding
 * @param {import("./references.mjs").Reference} reference
 */
function bind(s, refs, binding, reference) {
  const symbol = binding.local && s.checker.getSymbolAtLocation(binding.local);
  if (symbol) refs.bindings.set(symbol, reference);
}

/** @param {Subject} s @param {References} refs @param {Classified} site */
function named(s, refs, site) {
  const module = site.literal && s.checker.getSymbolAtLocation(site.literal);
  if (!module) return;
  for (const binding of bindings(site.declaration)) {
    if (binding.exported === "*") continue;
    if (binding.exported === "default" && module.exports?.has(ts.InternalSymbolName.ExportEquals)) continue;
    const why = judgeExport(s, module, binding.exported);
    if (!why) continue;
    if (why !== "missing") refs.flag(`appkit-${why}-member`, binding.name);
    bind(
      s,
      refs,
      binding,
      refs.add(
        "symbol",
        key(site.specifier, [binding.exported]),
        binding.name,
        binding.whole,
        bindingText(site, binding),
      ),
    );
  }
}

/**
 * Bindings imported from another submitted file that stand for an unsupported name.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {Classified} site
 */
function passedOn(s, refs, site) {
  const module = site.literal && s.checker.getSymbolAtLocation(site.literal);
  for (const binding of bindings(site.declaration)) {
    const symbol = binding.local && s.checker.getSymbolAtLocation(binding.local);
    if (!symbol || !module || binding.exported === "*") continue;
    const origin = chain(s, symbol)
      .map((each) => refs.bindings.get(each))
      .find((each) => each !== undefined);
    const star = origin ? undefined : missingThroughStar(s, module, binding.exported);
    if (!origin && !star) continue;
    const reference = refs.add(
      origin?.kind ?? "symbol",
      origin?.ref ?? star ?? "",
      binding.name,
      binding.whole,
      bindingText(site, binding),
    );
    refs.bindings.set(symbol, reference);
  }
}

/**
 * Identifiers that mean an unsupported binding.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {import("typescript").SourceFile} source
 */
function uses(s, refs, source) {
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isBindingName(node)) {
      const symbol =
        ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
          ? s.checker.getShorthandAssignmentValueSymbol(node.parent)
          : localTarget(s, node);
      const reference = symbol && refs.bindings.get(symbol);
      if (reference) refs.add(reference.kind, reference.ref, node, node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** @param {Subject} s @param {import("typescript").Identifier} node */
function localTarget(s, node) {
  return ts.isExportSpecifier(node.parent)
    ? s.checker.getExportSpecifierLocalTargetSymbol(node.parent)
    : s.checker.getSymbolAtLocation(node);
}

/** @param {import("typescript").Identifier} node */
function isBindingName({ parent }) {
  if (ts.isExportSpecifier(parent)) return !!parent.parent.parent.moduleSpecifier;
  return (
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isNamespaceExport(parent) ||
    ts.isImportEqualsDeclaration(parent) ||
    ts.isJsxClosingElement(parent)
  );
}
