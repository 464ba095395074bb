/** Checks the submission's exports against the contract, independently of the agent's copy (R-A3). */
import { posix } from "node:path";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {{missing: string[], mismatched: string[], any: string[]}} Contract
 */

export const CHECK = "contract-check.ts";

/** The file that must carry the exports. @param {string[]} allowed */
export function entryOf(allowed) {
  return allowed.find((path) => /^solution\.tsx?$/.test(posix.basename(path))) ?? allowed[0];
}

/**
 * A module that assigns each export to the contract's type. Value exports only: a type has no run-time presence.
 *
 * @param {string[]} names @param {string} entry
 */
export function checkModule(names, entry) {
  const specifier = JSON.stringify(`./${entry.replace(/\.tsx?$/, ".js")}`);
  const lines = names.map((name, i) => `export const c${i}: typeof C.${name} = S.${name};`);
  return [`import type * as C from "./task-contract.js";`, `import * as S from ${specifier};`, ...lines, ""].join("\n");
}

/** Value exports of the contract; nothing but its own text is needed to tell. @param {string} text */
export function valueExports(text) {
  const path = "/contract.d.ts";
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2024, true);
  const program = ts.createProgram({
    rootNames: [path], options: { noLib: true, noResolve: true, types: [], moduleDetection: ts.ModuleDetectionKind.Force },
    host: { ...NOTHING, getSourceFile: (name) => (name === path ? source : undefined), fileExists: (name) => name === path },
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(source);
  return (module ? checker.getExportsOfModule(module) : []).filter((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target.flags & ts.SymbolFlags.Value;
  }).map(({ name }) => name).filter((name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)).sort();
}

/** @type {Omit<import("typescript").CompilerHost, "getSourceFile" | "fileExists">} */
const NOTHING = {
  getDefaultLibFileName: () => "/lib.d.ts", writeFile() {}, getCurrentDirectory: () => "/", readFile: () => undefined,
  getCanonicalFileName: (path) => path, useCaseSensitiveFileNames: () => true, getNewLine: () => "\n",
};

/**
 * @param {Subject} s @param {string[]} names value exports of the contract
 * @param {string | undefined} entry path of the submitted module, undefined when it was not submitted
 * @returns {{contract: Contract, faults: {name: string, fault: keyof Contract, message: string, code: number | string}[]}}
 */
export function judgeContract(s, names, entry) {
  const source = s.program.getSourceFile(`${s.folder}/${CHECK}`);
  const file = s.files.find(({ path }) => path === entry);
  const module = file && s.checker.getSymbolAtLocation(file.source);
  const diagnostics = source && module ? s.program.getSemanticDiagnostics(source) : [];
  const faults = names.flatMap((name, i) => {
    if (!module) return [{ name, fault: /** @type {const} */ ("missing"), code: "CONTRACT", message: `the export ${name} is missing` }];
    const line = i + 2;
    const found = diagnostics.find((each) => source && source.getLineAndCharacterOfPosition(each.start ?? 0).line === line);
    if (found) {
      const fault = /** @type {const} */ ([2339, 2551].includes(found.code) ? "missing" : "mismatched");
      return [{ name, fault, code: found.code, message: ts.flattenDiagnosticMessageText(found.messageText, "\n") }];
    }
    const any = s.checker.getExportsOfModule(module).some((symbol) => symbol.name === name &&
      s.checker.getTypeOfSymbolAtLocation(resolve(s, symbol), file.source).flags & ts.TypeFlags.Any);
    return any ? [{ name, fault: /** @type {const} */ ("any"), code: "CONTRACT", message: `the export ${name} has the type any` }] : [];
  });
  /** @param {keyof Contract} fault */
  const named = (fault) => faults.filter((each) => each.fault === fault).map(({ name }) => name);
  return { contract: { missing: named("missing"), mismatched: named("mismatched"), any: named("any") }, faults };
}

/** @param {Subject} s @param {import("typescript").Symbol} symbol */
function resolve(s, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? s.checker.getAliasedSymbol(symbol) : symbol;
}
