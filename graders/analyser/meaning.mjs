/** Does an identifier stand for a public symbol of the candidate, under whatever name it goes here? */
import { chain } from "./bindings.mjs";
import { moduleOf } from "./candidate.mjs";
import { inSubmission, resolved } from "./provenance.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/** @typedef {import("./program.mjs").Subject} Subject */

/** The declarations that a (dotted) public name has at any entry point. @param {Subject} s @param {string} name */
export function publicSymbols(s, name) {
  /** @type {Set<import("typescript").Symbol>} */
  const found = new Set();
  for (const { file } of s.candidate.entries) {
    /** @type {import("typescript").Symbol | undefined} */
    let each = moduleOf(s, file);
    for (const part of name.split(".")) each = each && memberOf(s, each, part);
    if (each) found.add(each);
  }
  return found;
}

/** @param {Subject} s @param {import("typescript").Symbol} owner @param {string} name */
function memberOf(s, owner, name) {
  const exported =
    owner.flags & ts.SymbolFlags.Module
      ? s.checker.getExportsOfModule(owner).find((each) => each.name === name)
      : undefined;
  const member =
    exported ??
    (owner.flags & ts.SymbolFlags.Value
      ? s.checker.getPropertyOfType(s.checker.getTypeOfSymbol(owner), name)
      : undefined);
  return member && resolved(s, member);
}

/**
 * Does the identifier stand for a target: by import, namespace member, const alias or destructured binding?
 *
 * @param {Subject} s @param {import("typescript").Identifier} node @param {Set<import("typescript").Symbol>} targets
 * @param {number} hops @returns {boolean}
 */
export function means(s, node, targets, hops) {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? s.checker.getShorthandAssignmentValueSymbol(node.parent)
    : ts.isExportSpecifier(node.parent)
      ? s.checker.getExportSpecifierLocalTargetSymbol(node.parent)
      : s.checker.getSymbolAtLocation(node);
  return (
    !!symbol &&
    hops > 0 &&
    [symbol, ...chain(s, symbol), resolved(s, symbol)].some(
      (each) => targets.has(each) || aliased(s, each, targets, hops - 1),
    )
  );
}

/**
 * @param {Subject} s
 * @param {import("typescript").Symbol} symbol
 * @param {Set<import("typescript").Symbol>} targets
 * @param {number} hops
 */
function aliased(s, symbol, targets, hops) {
  const declaration = symbol.valueDeclaration;
  if (!declaration || !inSubmission(s, declaration)) return false;
  if (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer &&
    ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const
  ) {
    return names(s, declaration.initializer, targets, hops);
  }
  if (ts.isShorthandPropertyAssignment(declaration)) return means(s, declaration.name, targets, hops);
  if (ts.isParameter(declaration) || ts.isPropertyAssignment(declaration) || ts.isPropertyDeclaration(declaration)) {
    return !!declaration.initializer && names(s, declaration.initializer, targets, hops);
  }
  if (!ts.isBindingElement(declaration) || !ts.isObjectBindingPattern(declaration.parent)) return false;
  const name = declaration.propertyName ?? declaration.name;
  const type = s.checker.getTypeAtLocation(declaration.parent);
  const member =
    ts.isIdentifier(name) || ts.isStringLiteral(name) ? s.checker.getPropertyOfType(type, name.text) : undefined;
  return !!member && targets.has(resolved(s, member));
}

/**
 * Is the value nothing but the name of a target?
 *
 * @param {Subject} s
 * @param {import("typescript").Expression} given
 * @param {Set<import("typescript").Symbol>} targets
 * @param {number} hops
 */
function names(s, given, targets, hops) {
  const value = peel(given);
  const name = ts.isPropertyAccessExpression(value) ? value.name : value;
  return ts.isIdentifier(name) && means(s, name, targets, hops);
}
