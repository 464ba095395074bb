// Checks a grader before it is used: ids, texts, and that every id is asserted whatever the seed draws (R-A5, R-B1).
import { pathToFileURL } from 'node:url';
import { MachineryError } from './attest.mjs';
import { Rng } from './rng.mjs';

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** @typedef {import('../types').Grader} Grader @typedef {import('../types').Scenario} Scenario */

/** @param {unknown} condition @param {string} message */
function must(condition, message) {
  if (!condition) throw new MachineryError(`grader: ${message}`);
}

/** @param {string} file @returns {Promise<Grader>} */
export async function loadGrader(file) {
  const { grader } = await import(pathToFileURL(file).href);
  must(grader !== null && typeof grader === 'object' && typeof grader.scenarios === 'function', 'no `grader` with scenarios()');
  const ids = Object.keys(grader.assertions ?? {});
  must(ids.length > 0, 'no assertions');
  for (const id of ids) {
    must(ID.test(id), `malformed id ${id}`);
    must(typeof grader.assertions[id] === 'string' && grader.assertions[id].trim() !== '', `no text for ${id}`);
  }
  must(Array.isArray(grader.safety) && grader.safety.every((/** @type {string} */ id) => ids.includes(id)), 'safety is no subset of the assertions');
  must(typeof grader.entry === 'string' && /^[\w./-]+$/.test(grader.entry), 'no entry module');
  return grader;
}

/** @param {Grader} grader @param {number} seed @returns {{ scenarios: Scenario[], rng: Rng }} in the order of this seed */
export function drawScenarios(grader, seed) {
  const rng = new Rng(`seed/${seed}`);
  const scenarios = grader.scenarios(rng.fork('scenarios'));
  const names = scenarios.map(({ name }) => name);
  must(new Set(names).size === names.length, 'two scenarios share a name');
  must(names.every((name) => ID.test(name)), 'malformed scenario name');
  const asserted = new Set(scenarios.flatMap(({ judge }) => Object.keys(judge)));
  const declared = Object.keys(grader.assertions);
  for (const id of asserted) must(declared.includes(id), `undeclared id ${id}`);
  for (const id of declared) must(asserted.has(id), `no scenario asserts ${id}`);
  return { scenarios: rng.fork('order').shuffle(scenarios), rng };
}
