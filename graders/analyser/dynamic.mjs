/** Code that is made, loaded or named at run time: eval and its like, and the candidate's specifier in a string. */
import { isRequire } from "./specifiers.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 */

/** @param {Subject} s @param {References} refs @param {import("typescript").StringLiteralLike} node */
export function specifierString(s, refs, node) {
  const { parent } = node;
  const asImport =
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    ts.isModuleDeclaration(parent) ||
    (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) ||
    (ts.isCallExpression(parent) &&
      parent.arguments[0] === node &&
      (parent.expression.kind === ts.SyntaxKind.ImportKeyword || isRequire(s, parent.expression)));
  if (asImport || /\s/.test(node.text)) return;
  if (s.candidate.owns(node.text) || s.candidate.pathTrick(node.text)) refs.flag("appkit-specifier-string", node);
}

/** @param {Subject} s @param {References} refs @param {import("typescript").Identifier} node */
export function dynamicCode(s, refs, node) {
  const { parent, text } = node;
  const used = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
  if ((text === "eval" || text === "Function") && !ts.isTypeReferenceNode(parent) && isGlobal(s, node, text)) {
    const member = ts.isPropertyAccessExpression(parent) && parent.expression === node && text === "Function";
    if (!member && !isInstanceof(node)) refs.flag("dynamic-code", node);
  }
  if (text === "createRequire" && (used || ts.isPropertyAccessExpression(parent) || ts.isImportSpecifier(parent)))
    refs.flag("dynamic-code", node);
  if (text === "getBuiltinModule") refs.flag("dynamic-code", node);
}

/** @param {import("typescript").Node} node */
function isInstanceof({ parent }) {
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
}

/**
 * The global of that name, not a local namesake; also as a member of `globalThis`.
 *
 * @param {Subject} s
 * @param {import("typescript").Node} node
 * @param {string} name
 */
export function isGlobal(s, node, name) {
  if (ts.isPropertyAccessExpression(node))
    return (
      node.name.text === name &&
      ts.isIdentifier(node.expression) &&
      /^(globalThis|window|self|global)$/.test(node.expression.text)
    );
  if (!ts.isIdentifier(node) || node.text !== name) return false;
  const declarations = s.checker.getSymbolAtLocation(node)?.declarations;
  return (
    !declarations?.length ||
    declarations.every(
      (each) => s.program.isSourceFileDefaultLibrary(each.getSourceFile()) || each.getSourceFile().isDeclarationFile,
    )
  );
}
