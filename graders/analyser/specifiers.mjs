/** Finds every import of a submission, whatever its form, and classifies the specifier. */
import { builtinModules } from "node:module";
import { isContractSpecifier } from "./host.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {"import" | "export" | "dynamic" | "type" | "require" | "equals" | "jsx"} Form
 * @typedef {{specifier: string, literal: import("typescript").StringLiteralLike | undefined,
 *   file: import("./program.mjs").OwnFile, declaration: import("typescript").Node, form: Form,
 *   typeOnly: boolean}} Site
 * @typedef {{scope: "candidate" | "own" | "contract" | "outside", unsupported?: string,
 *   violation?: "path" | "not-allowed"}} Kind
 */

const BUILTINS = new Set(builtinModules.map((name) => name.replace(/^node:/, "")));

/** @param {Subject} s @returns {Site[]} */
export function importSites(s) {
  return s.files.flatMap((file) => {
    /** @type {Site[]} */
    const sites = pragmaSites(file);
    /** @param {import("typescript").Node} node */
    const visit = (node) => {
      const site = siteOf(s, file, node);
      if (site) sites.push(site);
      ts.forEachChild(node, visit);
    };
    visit(file.source);
    return sites;
  });
}

/**
 * @param {Subject} s
 * @param {import("./program.mjs").OwnFile} file
 * @param {import("typescript").Node} node
 * @returns {Site | undefined}
 */
function siteOf(s, file, node) {
  /** @param {import("typescript").Node | undefined} literal @param {Site["form"]} form @param {boolean} typeOnly */
  const site = (literal, form, typeOnly) =>
    literal && ts.isStringLiteralLike(literal)
      ? { specifier: literal.text, literal, file, declaration: node, form, typeOnly }
      : undefined;
  if (ts.isImportDeclaration(node)) return site(node.moduleSpecifier, "import", importsTypes(node.importClause));
  if (ts.isExportDeclaration(node)) return site(node.moduleSpecifier, "export", exportsTypes(node));
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return site(node.moduleReference.expression, "equals", node.isTypeOnly);
  }
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? site(node.argument.literal, "type", true) : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return site(node.arguments[0], "dynamic", false);
  return isRequire(s, node.expression) ? site(node.arguments[0], "require", false) : undefined;
}

/**
 * The global `require`, or what `createRequire` gave.
 *
 * @param {Subject} s
 * @param {import("typescript").Expression} callee
 */
export function isRequire(s, callee) {
  if (!ts.isIdentifier(callee)) return false;
  const type = s.checker.getTypeAtLocation(callee);
  if (/^(NodeRequire|Require)$/.test(type.symbol?.name ?? "")) return true;
  return callee.text === "require" && !s.checker.getSymbolAtLocation(callee)?.declarations?.length;
}

/** @param {import("typescript").ImportClause | undefined} clause */
function importsTypes(clause) {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    !!named &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((each) => each.isTypeOnly)
  );
}

/** @param {import("typescript").ExportDeclaration} node */
function exportsTypes(node) {
  const clause = node.exportClause;
  return (
    node.isTypeOnly ||
    (!!clause &&
      ts.isNamedExports(clause) &&
      clause.elements.length > 0 &&
      clause.elements.every((each) => each.isTypeOnly))
  );
}

/** `@jsxImportSource x` is an import of x. @param {import("./program.mjs").OwnFile} file @returns {Site[]} */
function pragmaSites(file) {
  const pragma = pragmasOf(file.source).get("jsximportsource");
  const last = Array.isArray(pragma) ? pragma.at(-1) : pragma;
  const specifier = last?.arguments?.factory;
  return specifier
    ? [{ specifier, literal: undefined, file, declaration: file.source, form: "jsx", typeOnly: false }]
    : [];
}

/**
 * @typedef {{arguments?: {factory?: string}, range?: {pos: number, end: number}}} Pragma
 * @param {import("typescript").SourceFile} source
 * @returns {Map<string, Pragma | Pragma[]>}
 */
export function pragmasOf(source) {
  return (
    /** @type {{pragmas?: Map<string, Pragma | Pragma[]>}} */ (/** @type {unknown} */ (source)).pragmas ?? new Map()
  );
}

/** @param {Subject} s @param {Site} site @param {string[]} allowed @returns {Kind} */
export function classify(s, site, allowed) {
  const { specifier } = site;
  const trick = s.candidate.pathTrick(specifier);
  if (trick) return { scope: "candidate", unsupported: trick, violation: "path" };
  if (/^\.\.?(\/|$)/.test(specifier)) return relative(s, site);
  if (/^([/\\#]|[a-z][a-z+.-]+:)/i.test(specifier) && !specifier.startsWith("node:"))
    return { scope: "outside", violation: "path" };
  const violation = isAllowed(specifier, allowed) ? undefined : /** @type {const} */ ("not-allowed");
  if (!s.candidate.owns(specifier)) return { scope: "outside", violation };
  const written = site.form === "jsx" ? `${specifier}/jsx-runtime` : specifier;
  const exists =
    s.candidate.specifiers.has(written) || (s.candidate.open(written) && resolvedFile(s, site) !== undefined);
  return { scope: "candidate", unsupported: exists ? undefined : written, violation };
}

/** @param {Subject} s @param {Site} site @returns {Kind} */
function relative(s, site) {
  const file = resolvedFile(s, site);
  if (file && s.files.some((own) => own.source.fileName === file)) return { scope: "own" };
  if (file && file === s.contract && isContractSpecifier(site.specifier)) {
    return { scope: "contract", violation: site.typeOnly || bindsTypesOnly(s, site) ? undefined : "path" };
  }
  const inside = file && s.candidate.holds(file) ? s.candidate.pathTrick(file) : undefined;
  return { scope: inside ? "candidate" : "outside", unsupported: inside, violation: "path" };
}

/**
 * Named bindings that have no value are elided: the import does not exist at run time.
 *
 * @param {Subject} s
 * @param {Site} site
 */
function bindsTypesOnly(s, site) {
  const named = ts.isImportDeclaration(site.declaration) ? site.declaration.importClause?.namedBindings : undefined;
  return (
    !!named &&
    ts.isNamedImports(named) &&
    named.elements.every((each) => {
      const symbol = s.checker.getSymbolAtLocation(each.name);
      return symbol && !(s.checker.getAliasedSymbol(symbol).flags & ts.SymbolFlags.Value);
    })
  );
}

/** @param {Subject} s @param {Site} site */
function resolvedFile(s, { literal, file, specifier }) {
  const found = literal
    ? s.host.resolveModuleNameLiterals?.(
        [literal],
        file.source.fileName,
        undefined,
        s.world.options,
        file.source,
        undefined,
      )[0]
    : ts.resolveModuleName(
        specifier,
        file.source.fileName,
        s.world.options,
        s.host,
        s.world.resolutions,
        undefined,
        ts.ModuleKind.ESNext,
      );
  return found?.resolvedModule?.resolvedFileName;
}

/**
 * Exact, or `P/*` for the strict subpaths of P; Node's modules compare as `node:x`.
 *
 * @param {string} specifier
 * @param {string[]} allowed
 */
export function isAllowed(specifier, allowed) {
  const asked = canonical(specifier);
  return allowed
    .map(canonical)
    .some((entry) => (entry.endsWith("/*") ? asked.startsWith(entry.slice(0, -1)) : asked === entry));
}

/** @param {string} specifier */
function canonical(specifier) {
  return BUILTINS.has(specifier) ? `node:${specifier}` : specifier;
}
