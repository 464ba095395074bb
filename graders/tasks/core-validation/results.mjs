// How a result of parseOrder is read.
import { get, isPlain, same } from '../../verifier/api.mjs';

/** @typedef {import('../../types').CallResult} CallResult */

/** @param {CallResult} result @returns {string[] | null} the paths of the issues when the input was refused as it should be */
export function refusal(result) {
  const issues = get(result, 'value', 'issues');
  if (result.ok !== true || result.via !== 'return' || get(result.value, 'ok') !== false) return null;
  if (!Array.isArray(issues) || issues.length === 0) return null;
  return issues.map((issue) => get(issue, 'path'));
}

/** @param {CallResult} result @param {unknown} input */
export function accepted(result, input) {
  return result.ok === true && result.via === 'return' && isPlain(result.value)
    && get(result.value, 'ok') === true && same(get(result.value, 'value'), input);
}

/** @param {import('../../types').Driver} s @param {string} name @param {unknown[]} inputs @returns {Promise<CallResult[]>} */
export function callAll(s, name, inputs) {
  return Promise.all(inputs.map((input) => s.call(name, input)));
}

/** @param {import('../../types').Driver} s @param {unknown[]} inputs @returns {Promise<CallResult[]>} */
export function observeAll(s, inputs) {
  return Promise.all(inputs.map((input) => s.observe('parseOrder', input)));
}

/** @param {CallResult[]} results @param {unknown[]} inputs what the submission holds after the calls is what it was given */
export function unchanged(results, inputs) {
  const kept = (/** @type {CallResult} */ { argsAtReturn, argsAfter }, /** @type {unknown} */ input) =>
    same(argsAtReturn, [input]) && same(argsAfter, [input]);
  return results.length === inputs.length && inputs.every((input, at) => kept(results[at], input));
}
