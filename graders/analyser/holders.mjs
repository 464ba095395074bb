/** What a variable, a field, a parameter or a function of the submission holds, as far as its text tells. */
import { inSubmission } from "./provenance.mjs";
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Expression} Expression
 */

/**
 * What a callback's parameter is given, whatever its own annotation says.
 *
 * @param {Subject} s
 * @param {import("typescript").ParameterDeclaration} parameter
 */
export function expectedType(s, parameter) {
  const owner = parameter.parent;
  if (!ts.isArrowFunction(owner) && !ts.isFunctionExpression(owner)) return undefined;
  const callback = s.checker.getContextualType(owner);
  const signature = callback && s.checker.getNonNullableType(callback).getCallSignatures()[0];
  const given = signature?.parameters[owner.parameters.indexOf(parameter)];
  return given && s.checker.getTypeOfSymbolAtLocation(given, owner);
}

/** @param {Subject} s @param {import("typescript").Symbol | undefined} symbol */
export function fieldValue(s, symbol) {
  const declaration = symbol?.valueDeclaration;
  const field =
    declaration &&
    inSubmission(s, declaration) &&
    (ts.isPropertyDeclaration(declaration) || ts.isPropertyAssignment(declaration));
  return field ? declaration.initializer : undefined;
}

/**
 * @param {Subject} s
 * @param {Expression} receiver
 * @param {string} name
 * @param {number} hops
 * @returns {Expression | undefined}
 */
export function literalValue(s, receiver, name, hops) {
  const node = peel(receiver);
  if (hops > 0 && ts.isIdentifier(node)) {
    const declaration = s.checker.getSymbolAtLocation(node)?.valueDeclaration;
    const value = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return value && literalValue(s, value, name, hops - 1);
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const found = node.properties.find(
    (each) => each.name && !ts.isComputedPropertyName(each.name) && "text" in each.name && each.name.text === name,
  );
  if (found && ts.isShorthandPropertyAssignment(found)) return found.name;
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/**
 * @param {Subject} s
 * @param {import("typescript").Node} declaration
 * @param {Expression} value
 * @param {import("typescript").CallExpression} call
 */
export function asArgument(s, declaration, value, call) {
  const inner = /** @type {Expression} */ (peel(value));
  const parameter = ts.isIdentifier(inner) ? s.checker.getSymbolAtLocation(inner)?.valueDeclaration : undefined;
  if (!parameter || !ts.isParameter(parameter) || parameter.parent !== declaration) return value;
  return call.arguments[parameter.parent.parameters.indexOf(parameter)] ?? value;
}

/** @param {import("typescript").Node} body @returns {Expression[]} */
export function returned(body) {
  if (!ts.isBlock(body)) return [/** @type {Expression} */ (body)];
  /** @type {Expression[]} */
  const found = [];
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** @type {WeakMap<Subject, Map<import("typescript").Symbol, Expression[]>>} */
const assignments = new WeakMap();

/** Right-hand sides of `symbol = value`. @param {Subject} s @param {import("typescript").Symbol} symbol */
export function assigned(s, symbol) {
  let known = assignments.get(s);
  if (!known) {
    assignments.set(s, (known = new Map()));
    for (const { source } of s.files) collect(s, source, known);
  }
  return known.get(symbol) ?? [];
}

/**
 * @param {Subject} s
 * @param {import("typescript").Node} node
 * @param {Map<import("typescript").Symbol, Expression[]>} known
 */
function collect(s, node, known) {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const target = ts.isPropertyAccessExpression(node.left) ? node.left.name : node.left;
    const symbol = ts.isIdentifier(target) ? s.checker.getSymbolAtLocation(target) : undefined;
    if (symbol) known.set(symbol, [...(known.get(symbol) ?? []), node.right]);
  }
  ts.forEachChild(node, (child) => collect(s, child, known));
}
