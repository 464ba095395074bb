// What the scenarios of the refund desk share: drawing refunds, opening a desk, reading results and the log.
import { get, same } from '../../verifier/api.mjs';

/**
 * @typedef {import('../../types').Driver} Driver
 * @typedef {import('../../types').Rng} Rng
 * @typedef {import('../../types').Log} Log
 * @typedef {import('../../types').LogEvent} LogEvent
 * @typedef {import('../../types').CallResult} CallResult
 * @typedef {{ order: string, cents: number, note?: string }} Refund
 */

/** Without a note. Orders differ, so a call of `pay` names its request. @param {Rng} rng @returns {Refund} */
export function plainRefund(rng) {
  return { order: rng.word(rng.int(8, 12)), cents: rng.int(2, 499_999) };
}

/** @param {Rng} rng @returns {Refund} */
export function notedRefund(rng) {
  return { ...plainRefund(rng), note: rng.text(rng.int(5, 30)) };
}

/** @param {Rng} rng how long the person thinks */
export function thinking(rng) {
  return { delay: rng.int(25, 50) };
}

/** @param {Refund} refund */
export function summaryOf(refund) {
  return `Refund ${refund.cents} cents for order ${refund.order}`;
}

/**
 * A desk in the child whose answers come from `decide`, and a bank that always pays.
 * @param {Driver} s @param {(request: unknown) => unknown} decide @param {{ delay?: number }} [options]
 */
export async function openDesk(s, decide, options = {}) {
  return openDeskWith(s, decide, options, async () => ({ reference: 'paid' }));
}

/**
 * @param {Driver} s @param {(request: unknown) => unknown} decide @param {{ delay?: number }} options
 * @param {(refund: unknown) => Promise<unknown>} pay
 */
export async function openDeskWith(s, decide, options, pay) {
  const approve = s.fn('approve', async (request) => decide(request), options);
  const opened = await s.call('createRefundDesk', { approve, pay: s.fn('pay', pay) });
  return {
    /** @param {string} id @param {unknown} refund */
    draft: (id, refund) => s.invoke(opened.value, 'draft', id, refund),
    /** @param {string} id @param {unknown} changes */
    amend: (id, changes) => s.invoke(opened.value, 'amend', id, changes),
    /** @param {string} id @param {...unknown} options */
    submit: (id, ...options) => s.invoke(opened.value, 'submit', id, ...options),
  };
}

/** @param {CallResult} result @param {string} code @returns {boolean} resolved with a failure of that code */
export function failedWith(result, code) {
  return result.ok && get(result.value, 'ok') === false && get(result.value, 'error', 'code') === code
    && typeof get(result.value, 'error', 'message') === 'string';
}

/** @param {unknown} value @param {string} path @returns {boolean} an issue with that path */
export function hasIssue(value, path) {
  const issues = get(value, 'error', 'issues');
  return Array.isArray(issues) && issues.some((issue) => get(issue, 'path') === path);
}

/** @param {CallResult} result @param {unknown} output @returns {boolean} */
export function paidWith(result, output) {
  return result.ok && get(result.value, 'ok') === true && same(get(result.value, 'output'), output);
}

/** @param {LogEvent} ask @returns {unknown} */
export function shown(ask) {
  return get(ask.args[0], 'input');
}

/** @param {LogEvent} pay @returns {unknown} */
export function paid(pay) {
  return pay.args[0];
}

/** @param {Log} log @param {LogEvent} pay @returns {LogEvent | undefined} the request that showed the same order */
function requestOf(log, pay) {
  return log.calls('approve').find((ask) => get(shown(ask), 'order') === get(paid(pay), 'order'));
}

/** Had the child received the answer to this payment's own request when it paid? @param {Log} log @param {LogEvent} pay */
export function paidAfterAnswer(log, pay) {
  const reply = requestOf(log, pay)?.reply;
  return reply !== null && reply !== undefined && log.sentAfter(pay, reply);
}

/** @param {{ log: Log }} seen @returns {boolean} */
export function nothingPaidBeforeAnswer({ log }) {
  return log.calls('pay').every((pay) => paidAfterAnswer(log, pay));
}

/** For scenarios without any approval. @param {{ log: Log }} seen @returns {boolean} */
export function nothingPaidAfterAnswer({ log }) {
  return !log.calls('pay').some((pay) => paidAfterAnswer(log, pay));
}
