/**
 * Plants every mistake of the operator list at every site of some solutions.
 *
 * node mutate.mjs <toolchain> <job>, job {solutions: {name: {path: text}}}, stdout {mutants: [...], dropped: {...}}
 *
 * Two mutants of a solution whose emitted JavaScript is the same are one, and one that emits what the solution itself
 * emits is none: both are counted and left out. The name of a mutant holds for as long as its line does.
 */
import { readFileSync } from "node:fs";
import { emitOptions } from "../../graders/analyser/options.mjs";
import { ts } from "../../graders/analyser/ts.mjs";
import { holdsNoBehaviour, OPERATORS } from "./mutation_operators.mjs";
import { entryAt } from "./mutation_tables.mjs";

const LONGEST = 120;

/** @param {string} path @param {string} text */
function emitted(path, text) {
  const compilerOptions = { ...emitOptions(), removeComments: true };
  return ts.transpileModule(text, { fileName: path, compilerOptions }).outputText.replace(/\s+/g, " ");
}

/** @param {string} text */
const shown = (text) => text.replace(/\s+/g, " ").trim().slice(0, LONGEST);

/** @param {string} path @param {string} text */
function* editsOf(path, text) {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  /** @type {import("typescript").Node[]} */
  const todo = [source];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (holdsNoBehaviour(node)) continue;
    for (const [operator, sites] of Object.entries(OPERATORS)) {
      for (const edit of sites(node, source)) {
        const { line } = source.getLineAndCharacterOfPosition(edit.start);
        yield { operator, edit, entry: entryAt(source, edit.at ?? edit.start), line: line + 1 };
      }
    }
    todo.push(...node.getChildren(source).toReversed());
  }
}

/** @type {Map<string, string>} entry of a table and its change -> the solution that has shown it */
const tables = new Map();

/** @param {string} solution @param {string} path @param {string} text @param {Record<string, number>} dropped */
function mutantsOf(solution, path, text, dropped) {
  const [original, seen, counts] = [emitted(path, text), new Set(), new Map()];
  const found = [];
  for (const { operator, edit, line, entry } of editsOf(path, text)) {
    const site = `${solution}/${path}:${line}:${operator}`;
    const ordinal = (counts.get(site) ?? 0) + 1;
    counts.set(site, ordinal);
    const mutated = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    const script = emitted(path, mutated);
    const [before, after] = [shown(text.slice(edit.start, edit.end)), shown(edit.text)];
    if (script === original) dropped.unchanged += 1;
    else if (seen.has(script)) dropped.duplicate += 1;
    else if (entry !== undefined && shownElsewhere(solution, `${operator} ${entry}`)) dropped.repeated += 1;
    else {
      seen.add(script);
      found.push({ name: `${site}:${ordinal}`, solution, path, operator, line, before, after, text: mutated });
    }
  }
  return found;
}

/** @param {string} solution @param {string} mistake */
function shownElsewhere(solution, mistake) {
  const by = tables.get(mistake) ?? solution;
  tables.set(mistake, by);
  return by !== solution;
}

/** @type {{ solutions: Record<string, Record<string, string>> }} */
const { solutions } = JSON.parse(readFileSync(process.argv[3] ?? "", "utf8"));
const dropped = { duplicate: 0, repeated: 0, unchanged: 0 };
const mutants = Object.entries(solutions).flatMap(([name, files]) =>
  Object.entries(files).flatMap(([path, text]) => mutantsOf(name, path, text, dropped)),
);
process.stdout.write(JSON.stringify({ mutants, dropped, operators: Object.keys(OPERATORS) }));
