/** Every place of a submission that names a member of a value, a namespace or a type. */
import { peel } from "./syntax.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {import("typescript").Node} Node
 * @typedef {{name: string | undefined, node: Node, whole: Node, type: import("typescript").Type,
 *   receiver: import("typescript").Expression | undefined, self: boolean, cast: boolean,
 *   path: Node | undefined}} MemberSite `name` is undefined when it is computed; `path` is what leads to a namespace
 */

/** @param {Subject} s @param {Node} node @returns {MemberSite[]} */
export function memberSites(s, node) {
  if (ts.isPropertyAccessExpression(node))
    return ts.isIdentifier(node.name) ? [access(s, node, node.expression, node.name, node.name.text)] : [];
  if (ts.isElementAccessExpression(node)) return [element(s, node)];
  if (ts.isQualifiedName(node)) return qualified(s, node);
  if (ts.isImportTypeNode(node)) return importType(s, node);
  if (ts.isIndexedAccessTypeNode(node)) return indexedType(s, node);
  if (ts.isObjectBindingPattern(node)) return pattern(s, node);
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isObjectLiteralExpression(node.left)
  ) {
    return assignmentPattern(s, node.left, s.checker.getTypeAtLocation(node.right), node.right);
  }
  return ts.isClassLike(node) ? overrides(s, node) : [];
}

/**
 * @param {Subject} s @param {Node} whole @param {import("typescript").Expression} receiver
 * @param {Node} node @param {string | undefined} name @returns {MemberSite}
 */
function access(s, whole, receiver, node, name, cast = false) {
  const self = receiver.kind === ts.SyntaxKind.ThisKeyword || receiver.kind === ts.SyntaxKind.SuperKeyword;
  return { name, node, whole, type: s.checker.getTypeAtLocation(receiver), receiver, self, cast, path: receiver };
}

/** @param {Subject} s @param {import("typescript").ElementAccessExpression} node */
function element(s, node) {
  const argument = node.argumentExpression;
  const inner = peel(argument);
  const literal = ts.isStringLiteralLike(inner) ? inner.text : stringOf(s.checker.getTypeAtLocation(inner));
  return access(
    s,
    node,
    node.expression,
    argument,
    literal,
    argument !== inner && !ts.isParenthesizedExpression(argument),
  );
}

/** @param {import("typescript").Type} type */
function stringOf(type) {
  return type.isStringLiteral() ? type.value : undefined;
}

/**
 * `ns.T`, `typeof ns.x`, `import a = ns.b`.
 *
 * @param {Subject} s
 * @param {import("typescript").QualifiedName} node
 * @returns {MemberSite[]}
 */
function qualified(s, node) {
  const symbol = s.checker.getSymbolAtLocation(node.left);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? s.checker.getAliasedSymbol(symbol) : symbol;
  if (!target || !(target.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Module))) return [];
  const type = s.checker.getTypeOfSymbolAtLocation(target, node.left);
  return [
    {
      name: node.right.text,
      node: node.right,
      whole: node,
      type,
      receiver: undefined,
      self: false,
      cast: false,
      path: node.left,
    },
  ];
}

/**
 * `import("x").T` and `typeof import("x").y`.
 *
 * @param {Subject} s
 * @param {import("typescript").ImportTypeNode} node
 * @returns {MemberSite[]}
 */
function importType(s, node) {
  const literal = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const module = literal && s.checker.getSymbolAtLocation(literal);
  let first = node.qualifier;
  while (first && ts.isQualifiedName(first)) first = first.left;
  if (!module || !first) return [];
  const type = s.checker.getTypeOfSymbolAtLocation(module, node);
  return [
    { name: first.text, node: first, whole: first, type, receiver: undefined, self: false, cast: false, path: literal },
  ];
}

/**
 * `T["x"]`, also with several names.
 *
 * @param {Subject} s
 * @param {import("typescript").IndexedAccessTypeNode} node
 * @returns {MemberSite[]}
 */
function indexedType(s, node) {
  const literals = ts.isUnionTypeNode(node.indexType) ? node.indexType.types : [node.indexType];
  const type = s.checker.getTypeFromTypeNode(node.objectType);
  return literals.flatMap((each) =>
    ts.isLiteralTypeNode(each) && ts.isStringLiteral(each.literal)
      ? [
          {
            name: each.literal.text,
            node: each,
            whole: node,
            type,
            receiver: undefined,
            self: false,
            cast: false,
            path: undefined,
          },
        ]
      : [],
  );
}

/**
 * `const {x} = v`, parameters, loops, nested patterns.
 *
 * @param {Subject} s
 * @param {import("typescript").ObjectBindingPattern} node
 * @returns {MemberSite[]}
 */
function pattern(s, node) {
  const holder = node.parent;
  const value = ts.isVariableDeclaration(holder) && !holder.type ? holder.initializer : undefined;
  const type = s.checker.getTypeAtLocation(value ?? node);
  return node.elements.flatMap((element) => {
    const name = element.propertyName ?? element.name;
    if (element.dotDotDotToken) return [];
    return [
      {
        name: nameText(s, name),
        node: name,
        whole: element,
        type,
        receiver: value,
        self: false,
        cast: false,
        path: value,
      },
    ];
  });
}

/** @param {Subject} s @param {Node} name */
function nameText(s, name) {
  if (ts.isComputedPropertyName(name)) return stringOf(s.checker.getTypeAtLocation(name.expression));
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : undefined;
}

/**
 * `({x} = v)`
 *
 * @param {Subject} s
 * @param {import("typescript").ObjectLiteralExpression} target
 * @param {import("typescript").Type} type
 * @param {import("typescript").Expression | undefined} receiver @returns {MemberSite[]}
 */
function assignmentPattern(s, target, type, receiver) {
  return target.properties.flatMap((property) => {
    if (!property.name || ts.isPrivateIdentifier(property.name)) return [];
    const name = nameText(s, property.name);
    /** @type {MemberSite} */
    const site = {
      name,
      node: property.name,
      whole: property,
      type,
      receiver,
      self: false,
      cast: false,
      path: receiver,
    };
    const inner =
      ts.isPropertyAssignment(property) && ts.isObjectLiteralExpression(property.initializer)
        ? property.initializer
        : undefined;
    const found = name === undefined ? undefined : s.checker.getPropertyOfType(type, name);
    return inner && found
      ? [site, ...assignmentPattern(s, inner, s.checker.getTypeOfSymbol(found), undefined)]
      : [site];
  });
}

/**
 * `override missing`: the member must exist in the base.
 *
 * @param {Subject} s
 * @param {import("typescript").ClassLikeDeclaration} node
 * @returns {MemberSite[]}
 */
function overrides(s, node) {
  const clause = node.heritageClauses?.find((each) => each.token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  if (!clause) return [];
  const instance = s.checker.getTypeAtLocation(clause);
  const statics = s.checker.getTypeAtLocation(clause.expression);
  return node.members.flatMap((member) => {
    const flags = ts.getCombinedModifierFlags(member);
    if (!(flags & ts.ModifierFlags.Override) || !member.name || !ts.isIdentifier(member.name)) return [];
    const type = flags & ts.ModifierFlags.Static ? statics : instance;
    return [
      {
        name: member.name.text,
        node: member.name,
        whole: member,
        type,
        receiver: undefined,
        self: true,
        cast: false,
        path: undefined,
      },
    ];
  });
}
