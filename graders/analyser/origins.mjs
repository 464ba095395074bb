/** Where a value really comes from, when its type no longer says: casts, any variables, any slots, own functions. */
import { asArgument, assigned, expectedType, fieldValue, literalValue, returned } from "./holders.mjs";
import { appkitPart, inSubmission, isOpaque, isOwn } from "./provenance.mjs";
import { isCast, peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Type} Type
 * @typedef {import("typescript").Expression} Expression
 * @typedef {{type: Type | undefined, laundered: boolean, promised?: boolean}} Origin
 *   promised: the type is what the expression's promise holds
 */

const HOPS = 8;

/**
 * The candidate's type behind an expression whose own type hides it; undefined when nothing was hidden.
 *
 * @param {Subject} s @param {Expression} expression
 * @returns {Type | undefined}
 */
export function launderedType(s, expression) {
  const { type, laundered, promised } = trace(s, expression, HOPS);
  return laundered && !promised && type && appkitPart(s, type) ? type : undefined;
}

/**
 * Answers by subject, then by expression and hops left: variables that are assigned to each other stay cheap.
 *
 * @type {WeakMap<Subject, Map<Expression, Map<number, Origin>>>}
 */
const traces = new WeakMap();

/** @param {Subject} s @param {Expression} expression @param {number} hops @returns {Origin} */
export function trace(s, expression, hops) {
  const known = traces.get(s) ?? new Map();
  traces.set(s, known);
  const answers = known.get(expression) ?? new Map();
  known.set(expression, answers);
  if (!answers.has(hops)) answers.set(hops, traceAnew(s, expression, hops));
  return answers.get(hops);
}

/** @param {Subject} s @param {Expression} expression @param {number} hops @returns {Origin} */
function traceAnew(s, expression, hops) {
  const own = s.checker.getTypeAtLocation(expression);
  if (hops <= 0) return { type: own, laundered: false };
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isSatisfiesExpression(expression)
  ) {
    return trace(s, expression.expression, hops);
  }
  if (isCast(expression)) {
    const inner = trace(s, expression.expression, hops);
    const hidden = inner.type && leads(s, inner.type) && hides(s, inner.type, own);
    return hidden ? { ...inner, laundered: true } : { type: own, laundered: false };
  }
  const deeper = follow(s, expression, hops - 1);
  if (deeper?.type && (deeper.laundered || isOpaque(own))) return { ...deeper, laundered: true };
  return { type: own, laundered: false };
}

/**
 * Does a cast to `target` hide what a candidate's value is? `error as Error` shows no member that the value lacks.
 *
 * @param {Subject} s
 * @param {Type} source
 * @param {Type} target
 */
export function hides(s, source, target) {
  const base = target.isClassOrInterface() && !isOwn(s, target.symbol) && s.checker.isTypeAssignableTo(source, target);
  return !base && !isPurely(s, target);
}

/**
 * Is every part of a type the candidate's? A cast to such a type hides nothing.
 *
 * @param {Subject} s
 * @param {Type} type
 * @returns {boolean}
 */
function isPurely(s, type) {
  const present = s.checker.getNonNullableType(type);
  if (present.isUnionOrIntersection()) return present.types.every((each) => isPurely(s, each));
  return appkitPart(s, present) !== undefined;
}

/** @param {Subject} s @param {Expression} node @param {number} hops @returns {Origin | undefined} */
function follow(s, node, hops) {
  if (ts.isAwaitExpression(node)) return awaited(s, trace(s, node.expression, hops));
  if (ts.isIdentifier(node)) return variable(s, node, hops);
  if (ts.isPropertyAccessExpression(node)) return property(s, node.expression, node.name.text, node.name, hops);
  if (ts.isElementAccessExpression(node)) {
    const name = peel(node.argumentExpression);
    return ts.isStringLiteralLike(name) ? property(s, node.expression, name.text, name, hops) : undefined;
  }
  if (ts.isCallExpression(node)) return called(s, node, hops);
  if (ts.isConditionalExpression(node)) return first(s, [node.whenTrue, node.whenFalse], hops);
  if (ts.isBinaryExpression(node)) {
    const either = [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.AmpersandAmpersandToken,
    ];
    if (either.includes(node.operatorToken.kind)) return first(s, [node.left, node.right], hops);
    return node.operatorToken.kind === ts.SyntaxKind.CommaToken ? trace(s, node.right, hops) : undefined;
  }
  return undefined;
}

/**
 * The first expression that leads to the candidate.
 *
 * @param {Subject} s
 * @param {readonly Expression[]} candidates
 * @param {number} hops
 * @returns {Origin | undefined}
 */
function first(s, candidates, hops) {
  return candidates.map((each) => trace(s, each, hops)).find(({ type }) => type && leads(s, type));
}

/** Is it the candidate's, or a promise of it? @param {Subject} s @param {Type} type */
function leads(s, type) {
  const settled = s.checker.getAwaitedType(type);
  return appkitPart(s, type) !== undefined || (settled !== undefined && appkitPart(s, settled) !== undefined);
}

/** @param {Subject} s @param {Origin} origin @returns {Origin} */
function awaited(s, { type, laundered }) {
  return { type: type && s.checker.getAwaitedType(type), laundered };
}

/**
 * @param {Subject} s
 * @param {import("typescript").Identifier} node
 * @param {number} hops
 * @returns {Origin | undefined}
 */
function variable(s, node, hops) {
  const symbol = s.checker.getSymbolAtLocation(node);
  const declaration = symbol?.valueDeclaration;
  if (!symbol || !declaration || !inSubmission(s, declaration)) return undefined;
  if (ts.isBindingElement(declaration)) return destructured(s, declaration, hops);
  if (ts.isParameter(declaration)) return { type: expectedType(s, declaration), laundered: false };
  const values = ts.isVariableDeclaration(declaration) && declaration.initializer ? [declaration.initializer] : [];
  return first(s, [...values, ...assigned(s, symbol)], hops);
}

/**
 * @param {Subject} s
 * @param {import("typescript").BindingElement} element
 * @param {number} hops
 * @returns {Origin | undefined}
 */
function destructured(s, element, hops) {
  const { parent: pattern } = element;
  const name = element.propertyName ?? element.name;
  if (
    !ts.isObjectBindingPattern(pattern) ||
    !ts.isVariableDeclaration(pattern.parent) ||
    !pattern.parent.initializer ||
    !ts.isIdentifier(name)
  )
    return undefined;
  return property(s, pattern.parent.initializer, name.text, name, hops);
}

/**
 * A property: of an own object literal or class field by its value, of a hidden candidate value by its type.
 *
 * @param {Subject} s @param {Expression} receiver @param {string} name
 * @param {import("typescript").Node} at @param {number} hops @returns {Origin | undefined}
 */
function property(s, receiver, name, at, hops) {
  const base = trace(s, receiver, hops);
  if (base.laundered && base.type && !base.promised) return { type: memberType(s, base.type, name), laundered: true };
  const symbol = s.checker.getSymbolAtLocation(at);
  const held = [literalValue(s, receiver, name, hops), fieldValue(s, symbol), ...(symbol ? assigned(s, symbol) : [])];
  return first(
    s,
    held.filter((each) => each !== undefined),
    hops,
  );
}

/** @param {Subject} s @param {Type} type @param {string} name */
function memberType(s, type, name) {
  const found = s.checker.getPropertyOfType(s.checker.getNonNullableType(type), name);
  return found && s.checker.getTypeOfSymbol(found);
}

/**
 * An own function by what it returns (a returned parameter is the argument), any other by its type.
 *
 * @param {Subject} s
 * @param {import("typescript").CallExpression} node
 * @param {number} hops
 * @returns {Origin | undefined}
 */
function called(s, node, hops) {
  const base = trace(s, node.expression, hops);
  if (base.laundered && base.type && !base.promised) {
    return { type: base.type.getCallSignatures()[0]?.getReturnType(), laundered: true };
  }
  const declaration = s.checker.getResolvedSignature(node)?.declaration;
  if (!declaration || !inSubmission(s, declaration) || !("body" in declaration) || !declaration.body) return undefined;
  const values = returned(declaration.body).map((value) => asArgument(s, declaration, value, node));
  const found = first(s, values, hops);
  if (!found || !declaration.modifiers?.some((each) => each.kind === ts.SyntaxKind.AsyncKeyword)) return found;
  const settled = s.checker.getAwaitedType(s.checker.getTypeAtLocation(node));
  return {
    type: found.type,
    laundered: found.laundered || (settled !== undefined && isOpaque(settled)),
    promised: true,
  };
}
