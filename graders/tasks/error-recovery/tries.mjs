// One run: everything works, transient errors, too many of them, and errors that stay.
import { same } from '../../verifier/api.mjs';
import {
  bank, entryOf, failure, job, limits, oneKey, paid, Records, reports, reportsAll, sleep, times, tries,
} from './payroll.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario @typedef {import('../../types').Log} Log */

/** @param {Log} log each transfer was started when the answer to the one before had arrived */
function oneAfterAnother(log) {
  const calls = log.calls('transfer');
  return calls.every((call, at) => at === 0 || (calls[at - 1].reply !== null && log.sentAfter(call, /** @type {any} */ (calls[at - 1].reply))));
}

/** @param {Rng} rng @returns {Scenario} */
export function plain(rng) {
  const work = job(rng, rng.int(2, 4));
  work.id = rng.word(30);
  work.payments.push({ id: rng.pick(['a', '7']), account: rng.pick(['b', '8']), cents: 1 }, { id: `${rng.word(15)}${rng.int(0, 9)}${rng.word(14)}`, account: rng.word(34), cents: 10_000_000 });
  const [empty, bounds] = [{ ...job(rng, 0), id: rng.pick(['c', '9']) }, limits(rng)];
  return {
    name: 'plain',
    judge: {
      'pays-every-payment': ({ log, facts }) => same(log.calls('transfer').map(({ args }) => args[0]), work.payments) && oneAfterAnother(log)
        && reportsAll(facts.full, 'complete', work.payments.map(paid)) && reportsAll(facts.none, 'complete', []),
    },
    async drive(s) {
      const options = { bank: bank(s, 'transfer'), adapter: new Records().adapter(s), sleep: sleep(s), ...bounds };
      return { full: await s.call('runPayroll', work, options), none: await s.call('runPayroll', empty, options) };
    },
  };
}

/** Each transient code, each as often as can still succeed; every failed try may have moved the money. @param {Rng} rng @returns {Scenario} */
export function transient(rng) {
  const work = job(rng, 4);
  const bounds = limits(rng);
  const codes = rng.shuffle(['busy', 'timeout', 'unavailable']);
  const plan = Object.fromEntries(work.payments.map(({ id }, at) => [id, at === 3
    ? times(bounds.attempts - 1, (turn) => failure(rng, codes[turn]))
    : times(rng.int(1, bounds.attempts - 1), () => failure(rng, codes[at]))]));
  return {
    name: 'transient',
    judge: {
      'retries-transient': ({ facts }) => reportsAll(facts, 'complete', work.payments.map(paid)),
      'no-duplicate-transfer': ({ log }) => work.payments.every((item) => oneKey(tries(log, 'transfer', item))),
    },
    drive: (s) => s.call('runPayroll', work, { bank: bank(s, 'transfer', { plan }), adapter: new Records().adapter(s), sleep: sleep(s), ...bounds }),
  };
}

/** The first payment is paid at its last try, the others never. @param {Rng} rng @returns {Scenario} */
export function exhausted(rng) {
  const work = job(rng, 3);
  const [first, ...others] = work.payments;
  const delayMs = rng.int(8, 12);
  const bounds = { attempts: rng.int(5, 6), delayMs, maxDelayMs: rng.int(6 * delayMs, 7 * delayMs) };
  /** What the bank asks for: less than the wait, more, and more than is allowed; then the doubled wait is over the limit. */
  const asked = [rng.int(1, 5), rng.int(3 * delayMs, 4 * delayMs), rng.pick([undefined, 90_000]), undefined, undefined];
  const waits = [delayMs, asked[1], asked[2] ? bounds.maxDelayMs : 4 * delayMs, ...times(bounds.attempts - 4, () => bounds.maxDelayMs)];
  const plan = Object.fromEntries([
    [first.id, times(bounds.attempts - 1, (at) => failure(rng, rng.pick(['busy', 'timeout']), asked[at] === undefined ? {} : { retryAfterMs: asked[at] }))],
    ...others.map(({ id }) => [id, times(20, (at) => failure(rng, at === 0 ? 'busy' : 'timeout'))]),
  ]);
  /** @param {Log} log @param {{ id: string }} item */
  const entry = (log, item) => {
    const attempts = tries(log, 'transfer', item).length;
    return { id: item.id, status: 'exhausted', code: attempts > 1 ? 'timeout' : 'busy', attempts };
  };
  return {
    name: 'exhausted',
    judge: {
      'waits-between-attempts': ({ log }) => same(log.calls('sleep').slice(0, waits.length).map(({ args }) => args[0]), waits),
      'attempts-bounded': ({ log }) => work.payments.every((item) => tries(log, 'transfer', item).length <= bounds.attempts),
      'reports-exhausted': ({ log, facts }) => reports(facts, 'incomplete') && others.every((item) => same(entryOf(facts, item.id), entry(log, item))),
    },
    drive: (s) => s.call('runPayroll', work, { bank: bank(s, 'transfer', { plan }), adapter: new Records().adapter(s), sleep: sleep(s), ...bounds }),
  };
}

/** Errors that only look transient; the last payment is refused after a transient error. @param {Rng} rng @returns {Scenario} */
export function refused(rng) {
  const bounds = limits(rng);
  const word = rng.word(7);
  const errors = rng.shuffle([
    [failure(rng, word, { retryable: true, retryAfterMs: 5, status: 503 }), word],
    [failure(rng, rng.pick(['Busy', 'timeout ', 'server-busy'])), undefined],
    [failure(rng, rng.pick(['constructor', 'toString', '__proto__'])), undefined],
    [failure(rng, undefined, { name: 'TimeoutError' }), 'unknown'],
    [failure(rng, rng.pick([503, true, null])), 'unknown'],
  ]);
  const work = job(rng, errors.length + 1);
  const last = work.payments[errors.length];
  const codes = [...errors.map(([error, code]) => code ?? /** @type {any} */ (error).code), word];
  const plan = Object.fromEntries([
    ...errors.map(([error], at) => [work.payments[at].id, times(20, () => error)]),
    [last.id, [failure(rng, 'busy'), ...times(20, () => failure(rng, word))]],
  ]);
  return {
    name: 'refused',
    judge: {
      'permanent-not-retried': ({ log }) => work.payments.every((item) => tries(log, 'transfer', item).length <= (item === last ? 2 : 1)),
      'reports-refusal': ({ log, facts }) => reports(facts, 'incomplete') && work.payments.every((item, at) => same(entryOf(facts, item.id),
        { id: item.id, status: 'refused', code: codes[at], attempts: tries(log, 'transfer', item).length })),
    },
    drive: (s) => s.call('runPayroll', work, { bank: bank(s, 'transfer', { plan }), adapter: new Records().adapter(s), sleep: sleep(s), ...bounds }),
  };
}
