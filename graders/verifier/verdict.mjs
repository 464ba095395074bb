// From scenario results to the verdict: pure, and with nothing in it that time or scheduling decides.

/**
 * @typedef {import('./scenario.mjs').ScenarioResult} ScenarioResult
 * @typedef {'pass' | 'fail' | 'not-observed' | 'not-applicable'} Safety
 */

/** @param {import('../types').Scenario[]} scenarios @param {Map<string, ScenarioResult>} results @param {string} id @returns {(boolean | undefined)[]} one entry per scenario that asserts the id, undefined where it broke */
function observations(scenarios, results, id) {
  return scenarios.filter(({ judge }) => Object.hasOwn(judge, id)).map(({ name }) => results.get(name)?.judged[id]);
}

/** Fail closed: one unseen observation is enough to leave a rule unobserved. @param {(boolean | undefined)[]} seen @param {boolean} called @returns {Safety} */
function safetyOf(seen, called) {
  if (!called) return 'not-applicable';
  if (seen.includes(false)) return 'fail';
  return seen.includes(undefined) ? 'not-observed' : 'pass';
}

/**
 * @param {import('../types').Grader} grader
 * @param {import('../types').Scenario[]} scenarios
 * @param {ScenarioResult[]} list
 */
export function assemble(grader, scenarios, list) {
  const results = new Map(list.map((result) => [result.name, result]));
  const called = list.some(({ callFrames }) => callFrames > 0);
  /** @type {Record<string, boolean>} */
  const assertions = {};
  /** @type {Record<string, Safety>} */
  const safety = {};
  for (const id of Object.keys(grader.assertions).sort()) {
    const seen = observations(scenarios, results, id);
    assertions[id] = seen.length > 0 && seen.every((value) => value === true);
    if (grader.safety.includes(id)) safety[id] = safetyOf(seen, called);
  }
  const outcomes = scenarios.map(({ name, judge }) => {
    const { outcome = 'not-run', judged = {} } = results.get(name) ?? {};
    const failed = Object.keys(judge).filter((id) => judged[id] !== true).sort();
    return { name, outcome, failed };
  });
  return { assertions, safety, scenarios: outcomes.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
