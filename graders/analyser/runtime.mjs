/** What makes code or reaches the machine by name: constructors of functions, the global object, `process`. */
import { constantText } from "./constants.mjs";
import { inSubmission } from "./provenance.mjs";
import { isCast, peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Node} Node
 * @typedef {{receiver: Node, name: string | undefined, whole: Node}} Access
 *   name: undefined when only the run time knows it
 */

const GLOBALS = new Set(["globalThis", "global", "window", "self"]);
/** Members of the global object that make code or lead to `process`, whatever the types say of them. */
const MAKING = new Set(["eval", "Function", "require", "module"]);
/** Members of `process` that only tell, print, or put off. */
const HARMLESS = new Set([
  ...["env", "argv", "nextTick", "hrtime", "uptime", "version", "versions", "platform", "arch", "cwd", "pid"],
  ...["stdout", "stderr", "emitWarning", "memoryUsage", "cpuUsage", "release", "features", "title"],
]);

/** Does this node make or reach code past the imports? @param {Subject} s @param {Node} node */
export function reachesRuntime(s, node) {
  if (ts.isIdentifier(node)) return isLooseGlobal(s, node) || isLooseProcess(s, node);
  if (ts.isImportSpecifier(node)) return ofProcessModule(node);
  if (ts.isCallExpression(node) && reflects(s, node)) return true;
  return accesses(node, s).some((each) => isReaching(s, each));
}

/**
 * `v.x`, `v["x"]`, `const { x } = v` with the names that constants give.
 *
 * @param {Node} node @param {Subject} s @returns {Access[]}
 */
function accesses(node, s) {
  if (ts.isPropertyAccessExpression(node)) return [{ receiver: node.expression, name: node.name.text, whole: node }];
  if (ts.isElementAccessExpression(node))
    return [{ receiver: node.expression, name: constantText(s, node.argumentExpression), whole: node }];
  if (!ts.isObjectBindingPattern(node) || !ts.isVariableDeclaration(node.parent) || !node.parent.initializer) return [];
  const receiver = node.parent.initializer;
  return node.elements
    .filter(({ dotDotDotToken }) => !dotDotDotToken)
    .map((whole) => ({ receiver, name: keyText(s, whole.propertyName ?? whole.name), whole }));
}

/** @param {Subject} s @param {Node} name */
function keyText(s, name) {
  return ts.isIdentifier(name) ? name.text : constantText(s, ts.isComputedPropertyName(name) ? name.expression : name);
}

/** @param {Subject} s @param {Access} access */
function isReaching(s, { receiver, name, whole }) {
  if (isGlobalObject(s, receiver))
    return (
      name === undefined || (MAKING.has(name) && !ts.isPropertyAccessExpression(whole)) || hidesProcess(receiver, name)
    );
  if (isProcess(s, receiver)) return name === undefined || !HARMLESS.has(name);
  if (name === "constructor") return makesFunctions(s, receiver, whole);
  return name === undefined && ts.isElementAccessExpression(whole) && isFunction(s, receiver) && !isNumeric(s, whole);
}

/** `(globalThis as any).process`: no type follows what is done with it. @param {Node} receiver @param {string} name */
function hidesProcess(receiver, name) {
  let each = receiver;
  while (ts.isParenthesizedExpression(each)) each = each.expression;
  return isCast(each) && (name === "process" || MAKING.has(name));
}

/** @param {Subject} s @param {Node} given @returns {boolean} */
function isGlobalObject(s, given) {
  const node = peel(given);
  // `globalThis.window` is the same object, `data.self` is somebody else's.
  if (ts.isPropertyAccessExpression(node)) return GLOBALS.has(node.name.text) && isGlobalObject(s, node.expression);
  if (!ts.isIdentifier(node) || !GLOBALS.has(node.text)) return false;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return false;
  const declarations = s.checker.getSymbolAtLocation(node)?.declarations ?? [];
  return !declarations.some((each) => inSubmission(s, each));
}

/** The global object goes on under another name. @param {Subject} s @param {import("typescript").Identifier} node */
function isLooseGlobal(s, node) {
  return isGlobalObject(s, node) && isValue(node) && isLoose(node);
}

/** @param {Subject} s @param {Node} given */
function isProcess(s, given) {
  const node = peel(given);
  const { symbol } = s.checker.getTypeAtLocation(node);
  return isNodes(symbol, "Process") || (ts.isIdentifier(node) && isModule(s.checker.getSymbolAtLocation(node)));
}

/** @param {import("typescript").Symbol | undefined} symbol @param {string} name */
function isNodes(symbol, name) {
  return (
    symbol?.name === name &&
    !!symbol.declarations?.some((each) => /\/@types\/node\//.test(each.getSourceFile().fileName))
  );
}

/** A namespace of `node:process`. @param {import("typescript").Symbol | undefined} symbol */
function isModule(symbol) {
  const declaration = symbol?.declarations?.[0];
  return !!declaration && ts.isNamespaceImport(declaration) && isProcessText(declaration.parent.parent.moduleSpecifier);
}

/** @param {Node} node */
function isProcessText(node) {
  return ts.isStringLiteralLike(node) && /^(node:)?process$/.test(node.text);
}

/** `import { exit } from "node:process"`. @param {import("typescript").ImportSpecifier} node */
function ofProcessModule(node) {
  const name = (node.propertyName ?? node.name).text;
  return isProcessText(node.parent.parent.parent.moduleSpecifier) && name !== "default" && !HARMLESS.has(name);
}

/** @param {Subject} s @param {import("typescript").Identifier} node */
function isLooseProcess(s, node) {
  return isValue(node) && !isDeclared(node) && isProcess(s, node) && isLoose(node);
}

/** @param {import("typescript").Identifier} node */
function isValue({ parent }) {
  return !ts.isTypeNode(parent) && !ts.isTypeElement(parent) && !ts.isQualifiedName(parent);
}

/** @param {import("typescript").Identifier} node */
function isDeclared(node) {
  const { parent } = node;
  return (
    ts.isImportClause(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isNamespaceImport(parent) ||
    ((ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent)) &&
      parent.name === node)
  );
}

/** With the parentheses and casts around it. @param {Node} given */
function outermost(given) {
  let node = given;
  while (node.parent && peel(node.parent) !== node.parent) node = node.parent;
  return node;
}

/**
 * Neither the receiver of a member, nor asked for its type or for a key, nor taken apart.
 *
 * @param {Node} given @returns {boolean}
 */
function isLoose(given) {
  const node = outermost(given);
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) {
    const member = parent.name === node;
    return member ? isLoose(parent) : false;
  }
  if (ts.isElementAccessExpression(parent)) return parent.expression !== node;
  if (ts.isTypeOfExpression(parent) || ts.isTypeQueryNode(parent)) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent)) return !ts.isObjectBindingPattern(parent.name) && parent.initializer === node;
  return !(ts.isBinaryExpression(parent) && isComparison(parent.operatorToken.kind));
}

/** @param {import("typescript").SyntaxKind} operator */
function isComparison(operator) {
  return (
    operator === ts.SyntaxKind.InKeyword ||
    operator === ts.SyntaxKind.EqualsEqualsToken ||
    operator === ts.SyntaxKind.ExclamationEqualsToken ||
    operator === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    operator === ts.SyntaxKind.ExclamationEqualsEqualsToken
  );
}

/**
 * `fn.constructor` is Function; of a value without a type it may be. Its name, and a comparison, make nothing.
 *
 * @param {Subject} s @param {Node} receiver @param {Node} whole
 */
function makesFunctions(s, receiver, whole) {
  if (peel(receiver).kind === ts.SyntaxKind.ThisKeyword) return false;
  const type = s.checker.getTypeAtLocation(receiver);
  const untyped = type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown);
  return (untyped || isFunction(s, receiver) || isUsed(whole)) && !isOnlyNamed(whole);
}

/** @param {Subject} s @param {Node} node */
function isFunction(s, node) {
  const type = s.checker.getApparentType(s.checker.getTypeAtLocation(peel(node)));
  return (
    type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0 || type.symbol?.name === "Function"
  );
}

/** @param {Subject} s @param {import("typescript").ElementAccessExpression} node */
function isNumeric(s, node) {
  return !!(
    s.checker.getTypeAtLocation(node.argumentExpression).flags &
    (ts.TypeFlags.NumberLike | ts.TypeFlags.ESSymbolLike)
  );
}

/** Called or instantiated. @param {Node} given */
function isUsed(given) {
  const node = outermost(given);
  const { parent } = node;
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
}

/** @param {Node} given */
function isOnlyNamed(given) {
  const node = outermost(given);
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node && parent.name.text === "name";
  return ts.isBinaryExpression(parent) && isComparison(parent.operatorToken.kind);
}

/**
 * `Reflect.get(fn, "constructor")`: the same members by another road.
 *
 * @param {Subject} s @param {import("typescript").CallExpression} node
 */
function reflects(s, node) {
  const callee = peel(node.expression);
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return false;
  if (!/^(Reflect|Object)$/.test(callee.expression.text) || node.arguments.length === 0) return false;
  const [receiver, key] = node.arguments;
  if (isGlobalObject(s, receiver) || isProcess(s, receiver)) return true;
  return /^get(OwnPropertyDescriptor)?$/.test(callee.name.text) && !!key && constantText(s, key) === "constructor";
}
