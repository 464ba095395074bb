/** The reference key: the unit of de-duplication (static-analysis.md section 4). */
import { moduleOf } from "./candidate.mjs";
import { inCandidate, resolved } from "./provenance.mjs";
import { packageOf } from "./candidate.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {{specifier: string, name: string}} PublicName
 */

/** @type {WeakMap<Subject, Map<import("typescript").Symbol, PublicName>>} */
const indexes = new WeakMap();

/** Public names by symbol; the first key of the exports map that has a symbol names it. @param {Subject} s */
function index(s) {
  let names = indexes.get(s);
  if (names) return names;
  indexes.set(s, (names = new Map()));
  for (const { specifier, file } of s.candidate.entries) {
    const module = moduleOf(s, file);
    if (!module) continue;
    if (!names.has(module)) names.set(module, { specifier, name: "" });
    for (const exported of s.checker.getExportsOfModule(module)) {
      const target = resolved(s, exported);
      if (!names.has(target)) names.set(target, { specifier, name: exported.name });
    }
  }
  return names;
}

/**
 * `<canonical specifier>#<Type>.<member>`; an anonymous type is named by the declarations around it.
 *
 * @param {Subject} s @param {import("typescript").Symbol} owner @param {string} member
 */
export function memberKey(s, owner, member) {
  const known = index(s).get(owner);
  if (known) return key(known.specifier, [known.name, member]);
  const declaration = owner.declarations?.find((node) => inCandidate(s, node));
  if (!declaration) throw new Error(`${owner.name} is not the candidate's`);
  const chain = enclosing(declaration);
  const top = chain[0] && s.checker.getSymbolAtLocation(chain[0]);
  const named = top && index(s).get(resolved(s, top));
  const names = chain.map((name) => name.text);
  if (named) return key(named.specifier, [named.name, ...names.slice(1), member]);
  return key(ownPackage(s, declaration), [...names, member]);
}

/**
 * Namespaces by the specifier that the submission wrote, if it can be seen, else by the canonical one.
 *
 * @param {Subject} s
 * @param {import("typescript").Symbol} module
 * @param {string} name
 */
export function exportKey(s, module, name) {
  return memberKey(s, module, name);
}

/** @param {string} specifier @param {string[]} names */
export function key(specifier, names) {
  return `${specifier}#${names.filter(Boolean).join(".")}`;
}

/** Names of the declarations from the outermost to `node` itself. @param {import("typescript").Node} node */
function enclosing(node) {
  /** @type {(import("typescript").Identifier | import("typescript").StringLiteral)[]} */
  const names = [];
  for (let each = node; each && !ts.isSourceFile(each); each = each.parent) {
    const name = /** @type {{name?: import("typescript").Node}} */ (/** @type {unknown} */ (each)).name;
    if (name && (ts.isIdentifier(name) || ts.isStringLiteral(name))) names.unshift(name);
  }
  return names;
}

/**
 * A type that no entry point exports is named by its package.
 *
 * @param {Subject} s
 * @param {import("typescript").Node} node
 */
function ownPackage(s, node) {
  return packageOf(node.getSourceFile().fileName.slice(s.candidate.modules.length));
}
