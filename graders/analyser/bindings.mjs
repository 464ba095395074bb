/** The names that import and re-export clauses bind, and the aliases that they pass through. */
import { key } from "./naming.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./specifiers.mjs").Site} Site
 * @typedef {import("typescript").Symbol} Symbol
 * @typedef {{getImmediateAliasedSymbol(symbol: Symbol): Symbol | undefined}} AliasReader not in the public types
 * @typedef {{name: import("typescript").Node, exported: string, local: import("typescript").Node | undefined,
 *   typeOnly: boolean, whole: import("typescript").Node}} Binding
 */

/** Clauses that bind or pass on one name each. @param {import("typescript").Node} node @returns {Binding[]} */
export function bindings(node) {
  const clause = ts.isImportDeclaration(node) ? node.importClause : undefined;
  const list = clause?.namedBindings ?? (ts.isExportDeclaration(node) ? node.exportClause : undefined);
  const typeOnly = !!clause?.isTypeOnly || (ts.isExportDeclaration(node) && node.isTypeOnly);
  /** @type {Binding[]} */
  const found = clause?.name
    ? [{ name: clause.name, exported: "default", local: clause.name, typeOnly, whole: clause.name }]
    : [];
  if (ts.isImportEqualsDeclaration(node))
    found.push({ name: node.name, exported: "*", local: node.name, typeOnly: node.isTypeOnly, whole: node });
  if (list && (ts.isNamespaceImport(list) || ts.isNamespaceExport(list))) {
    found.push({ name: list.name, exported: "*", local: list.name, typeOnly, whole: list });
  } else if (list) {
    for (const each of list.elements) {
      const name = each.propertyName ?? each.name;
      found.push({ name, exported: name.text, local: each.name, typeOnly: typeOnly || each.isTypeOnly, whole: each });
    }
  }
  return found;
}

/** @param {Site} site @param {Binding} binding */
export function bindingText({ specifier, form }, { exported, local, typeOnly }) {
  const name = local && (ts.isIdentifier(local) || ts.isStringLiteral(local)) ? local.text : "";
  return `${form}${typeOnly ? " type" : ""} ${exported} as ${name} from ${JSON.stringify(specifier)}`;
}

/**
 * The aliases that a symbol passes through, itself not included.
 *
 * @param {Subject} s
 * @param {import("typescript").Symbol} symbol
 */
export function chain(s, symbol) {
  const immediate = /** @type {AliasReader} */ (/** @type {unknown} */ (s.checker));
  const found = [];
  for (let each = symbol; each.flags & ts.SymbolFlags.Alias && found.length < 8;) {
    const next = immediate.getImmediateAliasedSymbol(each);
    if (!next) break;
    found.push(next);
    each = next;
  }
  return found;
}

/**
 * The key of a name that a submitted module lacks although it re-exports everything of a candidate's module.
 *
 * @param {Subject} s @param {import("typescript").Symbol} module @param {string} name @returns {string | undefined}
 */
export function missingThroughStar(s, module, name, depth = 8) {
  if (depth === 0 || name === "default" || s.checker.getExportsOfModule(module).some((each) => each.name === name))
    return undefined;
  const source = module.declarations?.find(ts.isSourceFile);
  for (const node of source?.statements ?? []) {
    if (
      !ts.isExportDeclaration(node) ||
      node.exportClause ||
      !node.moduleSpecifier ||
      !ts.isStringLiteral(node.moduleSpecifier)
    )
      continue;
    const target = s.checker.getSymbolAtLocation(node.moduleSpecifier);
    if (!target) continue;
    const { text } = node.moduleSpecifier;
    const found = s.candidate.owns(text) ? key(text, [name]) : missingThroughStar(s, target, name, depth - 1);
    if (found) return found;
  }
  return undefined;
}
