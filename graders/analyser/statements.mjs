/** Canonical text of the statement around a reference: what "use unchanged" is compared by (R-G2). */
import { ts } from "./ts.mjs";

/**
 * Tokens of the nearest simple statement; of a JSX element the opening tag, of a compound statement its header.
 * Comments, layout, quotes and what a formatter adds or drops do not count.
 *
 * @param {import("typescript").Node} node
 */
export function canonicalUse(node) {
  for (let each = node; each; each = each.parent) {
    if (ts.isJsxOpeningElement(each) || ts.isJsxSelfClosingElement(each)) return tagTokens(each);
    if (ts.isSourceFile(each) || ts.isBlock(each)) break;
    if (isCompound(each)) return headerTokens(each).join(" ");
    if (isSimple(each)) return tokens(each).join(" ");
  }
  return tokens(node).join(" ");
}

/** @param {import("typescript").Node} node */
function isSimple(node) {
  return (
    (ts.isStatement(node) && !ts.isBlock(node)) ||
    ts.isPropertyDeclaration(node) ||
    ts.isTypeElement(node) ||
    ts.isEnumMember(node)
  );
}

/** @param {import("typescript").Node} node */
function isCompound(node) {
  return (
    ts.isIfStatement(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isSwitchStatement(node) ||
    ts.isCaseClause(node) ||
    (ts.isFunctionLike(node) && "body" in node && !ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) ||
    ts.isClassDeclaration(node) ||
    ts.isCatchClause(node) ||
    ts.isTryStatement(node) ||
    ts.isWithStatement(node) ||
    ts.isLabeledStatement(node) ||
    ts.isInterfaceDeclaration(node)
  );
}

/** Everything but the bodies. @param {import("typescript").Node} node @returns {string[]} */
function headerTokens(node) {
  const bodies = [
    "statement",
    "thenStatement",
    "elseStatement",
    "body",
    "caseBlock",
    "statements",
    "members",
    "block",
    "tryBlock",
    "catchClause",
    "finallyBlock",
  ];
  const fields = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node));
  const skipped = bodies.map((name) => fields[name]);
  const spans = skipped
    .filter((each) => each !== undefined)
    .map((each) => /** @type {{pos: number, end: number}} */ (each));
  return node
    .getChildren()
    .flatMap((child) =>
      spans.some((span) => child.pos >= span.pos && child.end <= span.end && child.end > child.pos)
        ? []
        : tokens(child),
    );
}

/** A tag's text is the same whether or not it closes itself. @param {import("typescript").Node} tag */
function tagTokens(tag) {
  return tokens(tag)
    .filter((token) => token !== "/")
    .join(" ");
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Leaf tokens as the parser sees them.
 *
 * @param {import("typescript").Node} node
 * @returns {string[]}
 */
export function tokens(node) {
  if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.SemicolonToken) return [];
  if (
    ts.isStringLiteral(node) &&
    ts.isPropertyAssignment(node.parent) &&
    node.parent.name === node &&
    IDENTIFIER.test(node.text)
  )
    return [node.text];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [JSON.stringify(node.text)];
  if (ts.isJsxText(node)) return node.text.split(/\s+/).filter(Boolean);
  const children = node.getChildren();
  if (!children.length) return node.kind === ts.SyntaxKind.SyntaxList || !node.getText() ? [] : [node.getText()];
  return children.flatMap((child, i) => (isFormatting(node, child, i, children.length - 1) ? [] : tokens(child)));
}

/**
 * A trailing comma, a leading bar, or the parentheses that a formatter puts around a lone arrow parameter.
 *
 * @param {import("typescript").Node} parent
 * @param {import("typescript").Node} child
 * @param {number} i
 * @param {number} last
 */
function isFormatting(parent, child, i, last) {
  if (child.kind === ts.SyntaxKind.BarToken || child.kind === ts.SyntaxKind.AmpersandToken)
    return i === 0 && parent.kind === ts.SyntaxKind.SyntaxList;
  if (child.kind === ts.SyntaxKind.CommaToken) return i === last && parent.kind === ts.SyntaxKind.SyntaxList;
  const parenthesis = child.kind === ts.SyntaxKind.OpenParenToken || child.kind === ts.SyntaxKind.CloseParenToken;
  if (parenthesis && ts.isParenthesizedExpression(parent))
    return ts.isJsxElement(parent.expression) || ts.isJsxSelfClosingElement(parent.expression);
  return (
    parenthesis &&
    ts.isArrowFunction(parent) &&
    parent.parameters.length === 1 &&
    !parent.type &&
    ts.isIdentifier(parent.parameters[0].name) &&
    !parent.parameters[0].type &&
    !parent.parameters[0].initializer
  );
}
