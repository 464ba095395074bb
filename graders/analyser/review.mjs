/** The closed list of reasons for a human look (static-analysis.md section 6): what tampers, hides or reflects. */
import { dynamicCode, isGlobal, specifierString } from "./dynamic.mjs";
import { judgeMember } from "./judge.mjs";
import { launderedType } from "./origins.mjs";
import { appkitPart, isCandidates, simplePart } from "./provenance.mjs";
import { reachesRuntime } from "./runtime.mjs";
import { isRequire, pragmasOf } from "./specifiers.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("./references.mjs").References} References
 */

const REFLECTING = new Set([
  "defineProperty",
  "defineProperties",
  "getOwnPropertyNames",
  "getOwnPropertyDescriptor",
  "getOwnPropertyDescriptors",
  "getOwnPropertySymbols",
  "getPrototypeOf",
  "setPrototypeOf",
  "create",
  "assign",
]);
const LISTING = new Set(["keys", "entries", "values"]);

/** @param {Subject} s @param {References} refs */
export function reviewFiles(s, refs) {
  for (const { path, line, column } of s.suppressions) refs.flag("suppression-comment", `${path}:${line}:${column}`);
  for (const { path, source } of s.files) {
    for (const range of [
      ...source.referencedFiles,
      ...source.typeReferenceDirectives,
      ...source.libReferenceDirectives,
    ]) {
      refs.flag("triple-slash-reference", placeOf(source, path, range.pos));
    }
    for (const [name, pragma] of pragmasOf(source)) {
      if (!/^jsx/.test(name)) continue;
      for (const each of [pragma].flat()) refs.flag("jsx-pragma", placeOf(source, path, each.range?.pos ?? 0));
    }
    /** @param {import("typescript").Node} node */
    const visit = (node) => {
      reviewNode(s, refs, node);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
}

/** @param {import("typescript").SourceFile} source @param {string} path @param {number} position */
function placeOf(source, path, position) {
  const { line, character } = source.getLineAndCharacterOfPosition(position);
  return `${path}:${line + 1}:${character + 1}`;
}

/** @param {Subject} s @param {References} refs @param {import("typescript").Node} node */
function reviewNode(s, refs, node) {
  if (reachesRuntime(s, node)) refs.flag("dynamic-code", node);
  if (ts.isModuleDeclaration(node)) return declaredModule(s, refs, node);
  if (isAmbient(node)) return refs.flag("ambient-declaration", node);
  if (ts.isStringLiteralLike(node)) return specifierString(s, refs, node);
  if (ts.isIdentifier(node)) return dynamicCode(s, refs, node);
  if (ts.isCallExpression(node)) return called(s, refs, node);
  if (
    ts.isNewExpression(node) &&
    isGlobal(s, node.expression, "Proxy") &&
    node.arguments?.[0] &&
    isAppkit(s, node.arguments[0])
  ) {
    return refs.flag("reflection", node);
  }
  if (ts.isForInStatement(node) && isNamespace(s, node.expression)) return refs.flag("reflection", node.expression);
  if (ts.isDeleteExpression(node)) return mutation(s, refs, node.expression);
  if (ts.isBinaryExpression(node)) return binary(s, refs, node);
}

/** @param {Subject} s @param {References} refs @param {import("typescript").ModuleDeclaration} node */
function declaredModule(s, refs, node) {
  if (ts.isStringLiteral(node.name)) {
    return refs.flag(s.candidate.owns(node.name.text) ? "appkit-augmentation" : "ambient-declaration", node);
  }
  if (isAmbient(node) || node.flags & ts.NodeFlags.GlobalAugmentation) refs.flag("ambient-declaration", node);
}

/**
 * `declare const`, `declare function` and their like promise what nothing here keeps.
 *
 * @param {import("typescript").Node} node
 */
function isAmbient(node) {
  const declares =
    ts.isVariableStatement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node);
  return declares && !!node.modifiers?.some((each) => each.kind === ts.SyntaxKind.DeclareKeyword);
}

/** @param {Subject} s @param {References} refs @param {import("typescript").CallExpression} node */
function called(s, refs, node) {
  const { expression: callee, arguments: given } = node;
  if (callee.kind === ts.SyntaxKind.ImportKeyword) {
    if (given[0] && !ts.isStringLiteralLike(given[0])) refs.flag("dynamic-import-specifier", given[0]);
    return;
  }
  if (isRequire(s, callee)) return refs.flag("require", node);
  if (!ts.isPropertyAccessExpression(callee)) return;
  const method = callee.name.text;
  if (method === "hasOwnProperty" && given[0] && lacks(s, callee.expression, given[0]))
    return refs.flag("feature-detection", node);
  if (isGlobal(s, callee.expression, "Reflect") && given.some((each) => isAppkit(s, each)))
    return refs.flag("reflection", node);
  if (!isGlobal(s, callee.expression, "Object") || !given[0]) return;
  if (method === "hasOwn" && given[1] && lacks(s, given[0], given[1])) return refs.flag("feature-detection", node);
  const reflects =
    (REFLECTING.has(method) && isAppkit(s, given[0]) && !isOwnLiteral(s, given[0])) ||
    (LISTING.has(method) && isNamespace(s, given[0]));
  if (reflects) refs.flag("reflection", node);
}

/** @param {Subject} s @param {References} refs @param {import("typescript").BinaryExpression} node */
function binary(s, refs, node) {
  if (node.operatorToken.kind === ts.SyntaxKind.InKeyword && lacks(s, node.right, node.left))
    refs.flag("feature-detection", node);
  const operator = node.operatorToken.kind;
  if (operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment)
    mutation(s, refs, node.left);
}

/**
 * Asks an Appkit value for a member that its type does not have.
 *
 * @param {Subject} s
 * @param {import("typescript").Expression} value
 * @param {import("typescript").Expression} name
 */
function lacks(s, value, name) {
  const type = launderedType(s, value) ?? s.checker.getTypeAtLocation(value);
  const asked = peel(name);
  if (!appkitPart(s, type)) return false;
  return !ts.isStringLiteralLike(asked) || judgeMember(s, type, asked.text).status === "unsupported";
}

/**
 * Replaces a method, a static or an export of the candidate; a field of one's own options is no such thing.
 *
 * @param {Subject} s
 * @param {References} refs
 * @param {import("typescript").Expression} given
 */
function mutation(s, refs, given) {
  const target = peel(given);
  if (!ts.isPropertyAccessExpression(target) && !ts.isElementAccessExpression(target)) return;
  const receiver = target.expression;
  const name = ts.isPropertyAccessExpression(target) ? target.name : peel(target.argumentExpression);
  const text = ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : "";
  const type = launderedType(s, receiver) ?? s.checker.getTypeAtLocation(receiver);
  const part = appkitPart(s, type);
  const member = part && s.checker.getPropertyOfType(s.checker.getNonNullableType(type), text);
  if (!part || !isCandidates(s, member)) return;
  const shared =
    part.namespace ||
    (part.symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function) && isConstructor(part.type)) ||
    isPrototype(receiver);
  const method =
    member &&
    member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor) &&
    part.symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface);
  if (shared || (method && !isOwnLiteral(s, receiver))) refs.flag("appkit-mutation", target);
}

/** @param {import("typescript").Type} type */
function isConstructor(type) {
  return type.getConstructSignatures().length > 0 || type.getCallSignatures().length > 0;
}

/** @param {import("typescript").Expression} node */
function isPrototype(node) {
  const inner = peel(node);
  return ts.isPropertyAccessExpression(inner) && inner.name.text === "prototype";
}

/** @param {Subject} s @param {import("typescript").Expression} node */
export function isOwnLiteral(s, node) {
  const declaration = s.checker.getSymbolAtLocation(peel(node))?.valueDeclaration;
  return (
    !!declaration &&
    ts.isVariableDeclaration(declaration) &&
    !!declaration.initializer &&
    ts.isObjectLiteralExpression(peel(declaration.initializer))
  );
}

/** @param {Subject} s @param {import("typescript").Expression} node */
function isAppkit(s, node) {
  return appkitPart(s, s.checker.getTypeAtLocation(node)) !== undefined || launderedType(s, node) !== undefined;
}

/** @param {Subject} s @param {import("typescript").Expression} node */
function isNamespace(s, node) {
  return !!simplePart(s, launderedType(s, node) ?? s.checker.getTypeAtLocation(node))?.namespace;
}
