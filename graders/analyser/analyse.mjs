/** One submission in, one analysis out: a pure function of the job and the consumer's bytes. */
import { reviewCasts } from "./casts.mjs";
import { CHECK, checkModule, entryOf, judgeContract, valueExports } from "./contract.mjs";
import { bounded, categorise, collect, lineOf, sorted } from "./diagnostics.mjs";
import { emit } from "./emit.mjs";
import { judgeImports } from "./imports.mjs";
import { judgeIntegration } from "./integration.mjs";
import { reviewLeaks } from "./leaks.mjs";
import { judgeMembers } from "./members.mjs";
import { at, openSubject } from "./program.mjs";
import { References } from "./references.mjs";
import { reviewFiles } from "./review.mjs";
import { ts } from "./ts.mjs";

/**
 * @typedef {import("./program.mjs").World} World
 * @typedef {import("./program.mjs").Subject} Subject
 * @typedef {{allowedOutputPaths: string[], allowedImports: string[],
 *   requiredIntegration: import("./integration.mjs").Group[]}} Task
 * @typedef {{files: Record<string, string>, starter: Record<string, string>, contract: string | null,
 *   task: Task}} Submission
 */

/** @param {World} world @param {Submission} job */
export function analyse(world, { files, starter, contract, task }) {
  const names = contract === null ? [] : valueExports(contract);
  const entry = Object.hasOwn(files, entryOf(task.allowedOutputPaths)) ? entryOf(task.allowedOutputPaths) : undefined;
  /** @type {Record<string, string>} */
  const check = entry && names.length ? { [CHECK]: checkModule(names, entry) } : {};
  const s = openSubject(world, files, contract ?? undefined, check);
  const refs = new References(s);
  const sites = references(s, refs, task.allowedImports);
  const found = collect(s);
  const { integration, uses } = judgeIntegration(s, task.requiredIntegration, found, refs);
  reviewFiles(s, refs);
  reviewCasts(s, refs);
  reviewLeaks(s, refs);
  const seeds = seedFingerprint(world, starter, task);
  const { contract: agreed, faults } = judgeContract(s, names, entry);
  const imported = importLists(s, sites);
  const diagnostics = sorted([
    ...categorise(s, found, refs),
    ...contractDiagnostics(s, faults, entry ?? entryOf(task.allowedOutputPaths)),
    ...violationDiagnostics(sites),
  ]);
  const broken = new Set(s.files.filter(({ source }) => found.broken.has(source)).map(({ path }) => path));
  return {
    result: {
      ...imported,
      ...counts(s, refs, seeds),
      integration,
      uses,
      contract: agreed,
      diagnostics,
      diagnosticCategories: [...new Set(diagnostics.map(({ category }) => category))].sort(),
      ...reviewed(refs),
    },
    catalogue: world.catalogue,
    emitted: emit(files, broken),
  };
}

/** @param {Subject} s @param {References} refs @param {string[]} allowed */
function references(s, refs, allowed) {
  const sites = judgeImports(s, refs, allowed);
  judgeMembers(s, refs);
  return sites;
}

/**
 * Keys that the same analysis finds in the starter, with their occurrences (R-G2).
 *
 * @param {World} world
 * @param {Record<string, string>} starter
 * @param {Task} task
 */
export function seedFingerprint(world, starter, task) {
  if (!Object.keys(starter).length) return {};
  const s = openSubject(world, starter, undefined);
  const refs = new References(s);
  references(s, refs, task.allowedImports);
  return refs.fingerprint();
}

/** @param {Subject} s @param {References} refs @param {Record<string, string[]>} seeds */
function counts(s, refs, seeds) {
  const now = refs.fingerprint();
  const unsupported = refs.list().map(({ kind, ref, occurrences }) => {
    const seed =
      ref in seeds ? { seed: JSON.stringify(seeds[ref]) === JSON.stringify(now[ref]) ? "unchanged" : "changed" } : {};
    return { kind, ref, ...seed, at: [...new Set(occurrences.map(({ name }) => at(s, name)))].sort() };
  });
  const hallucinated = unsupported.filter((each) => each.seed !== "unchanged").map(({ ref }) => ref);
  return {
    unsupportedApiCount: unsupported.length,
    hallucinatedApiCount: hallucinated.length,
    unsupported,
    hallucinated,
  };
}

/** @param {Subject} s @param {import("./imports.mjs").Classified[]} sites */
function importLists(s, sites) {
  /** @param {import("./imports.mjs").Classified[]} some */
  const places = (some) => [...new Set(some.map(({ literal, declaration }) => at(s, literal ?? declaration)))].sort();
  const imports = [...Map.groupBy(sites, ({ specifier }) => specifier)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([specifier, some]) => ({
      specifier,
      typeOnly: some.every(({ typeOnly }) => typeOnly),
      forms: [...new Set(some.map(({ form }) => form))].sort(),
      at: places(some),
    }));
  const wrong = sites.filter(({ kind }) => kind.violation);
  const importViolations = [...Map.groupBy(wrong, ({ specifier, kind }) => `${specifier}\n${kind.violation}`).values()]
    .map((some) => ({ specifier: some[0].specifier, violation: some[0].kind.violation, at: places(some) }))
    .sort((a, b) => (`${a.specifier}\n${a.violation}` < `${b.specifier}\n${b.violation}` ? -1 : 1));
  return { imports, importViolations };
}

/** @param {import("./imports.mjs").Classified[]} sites @returns {import("./diagnostics.mjs").Diagnostic[]} */
function violationDiagnostics(sites) {
  return sites
    .filter(({ kind }) => kind.violation)
    .map(({ specifier, kind, file, literal, declaration }) => ({
      category: "disallowed-import",
      code: "IMPORT",
      file: file.path,
      line: lineOf(literal ?? declaration),
      message:
        kind.violation === "path"
          ? `${specifier} is not a package import, another submitted file or a type of the contract`
          : `${specifier} is not among the allowed imports`,
    }));
}

/**
 * @param {Subject} s
 * @param {ReturnType<typeof judgeContract>["faults"]} faults
 * @param {string} path
 * @returns {import("./diagnostics.mjs").Diagnostic[]}
 */
function contractDiagnostics(s, faults, path) {
  const file = s.files.find((each) => each.path === path);
  const module = file && s.checker.getSymbolAtLocation(file.source);
  return faults.map(({ name, code, message }) => {
    const declared = module?.exports
      ?.get(ts.escapeLeadingUnderscores(name))
      ?.declarations?.find((node) => node.getSourceFile() === file?.source);
    return {
      category: "contract",
      code,
      file: path,
      line: declared ? lineOf(declared) : 1,
      message: `${name}: ${bounded(s, message)}`,
    };
  });
}

/** @param {References} refs */
function reviewed(refs) {
  const reasons = [...refs.review]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, places]) => [reason, [...places].sort()]);
  return { needsReview: reasons.length > 0, reviewReasons: Object.fromEntries(reasons) };
}
