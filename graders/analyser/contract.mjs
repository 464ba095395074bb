/** Checks the submission's exports against the contract, independently of the agent's copy (R-A3). */
import { posix } from "node:path";
import { resolved } from "./provenance.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {{missing: string[], mismatched: string[], any: string[]}} Contract
 * @typedef {{name: string, fault: keyof Contract, message: string, code: number | string}} Fault
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
    rootNames: [path],
    options: { noLib: true, noResolve: true, types: [], moduleDetection: ts.ModuleDetectionKind.Force },
    host: {
      ...NOTHING,
      getSourceFile: (name) => (name === path ? source : undefined),
      fileExists: (name) => name === path,
    },
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(source);
  return (module ? checker.getExportsOfModule(module) : [])
    .filter((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return target.flags & ts.SymbolFlags.Value;
    })
    .map(({ name }) => name)
    .filter((name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
    .sort();
}

/** @type {Omit<import("typescript").CompilerHost, "getSourceFile" | "fileExists">} */
const NOTHING = {
  getDefaultLibFileName: () => "/lib.d.ts",
  writeFile() {},
  getCurrentDirectory: () => "/",
  readFile: () => undefined,
  getCanonicalFileName: (path) => path,
  useCaseSensitiveFileNames: () => true,
  getNewLine: () => "\n",
};

/**
 * @param {Subject} s @param {string[]} names value exports of the contract
 * @param {string | undefined} entry path of the submitted module, undefined when it was not submitted
 * @returns {{contract: Contract, faults: Fault[]}}
 */
export function judgeContract(s, names, entry) {
  const source = s.program.getSourceFile(`${s.folder}/${CHECK}`);
  const file = s.files.find(({ path }) => path === entry);
  const module = file && s.checker.getSymbolAtLocation(file.source);
  const diagnostics = source && module ? s.program.getSemanticDiagnostics(source) : [];
  const faults = names.flatMap((name, i) => {
    const found = diagnostics.find((each) => source?.getLineAndCharacterOfPosition(each.start ?? 0).line === i + 2);
    return faultOf(s, name, module, found) ?? [];
  });
  /** @param {keyof Contract} fault */
  const named = (fault) => faults.filter((each) => each.fault === fault).map(({ name }) => name);
  return { contract: { missing: named("missing"), mismatched: named("mismatched"), any: named("any") }, faults };
}

/**
 * @param {Subject} s @param {string} name @param {import("typescript").Symbol | undefined} module
 * @param {import("typescript").Diagnostic | undefined} found what the check module's line got
 * @returns {Fault | undefined}
 */
function faultOf(s, name, module, found) {
  if (!module) return { name, fault: "missing", code: "CONTRACT", message: `the export ${name} is missing` };
  if (found) {
    const message = ts.flattenDiagnosticMessageText(found.messageText, "\n");
    return { name, fault: [2339, 2551].includes(found.code) ? "missing" : "mismatched", code: found.code, message };
  }
  const exported = s.checker.getExportsOfModule(module).find((symbol) => symbol.name === name);
  const any = exported && s.checker.getTypeOfSymbol(resolved(s, exported)).flags & ts.TypeFlags.Any;
  return any ? { name, fault: "any", code: "CONTRACT", message: `the export ${name} has the type any` } : undefined;
}
