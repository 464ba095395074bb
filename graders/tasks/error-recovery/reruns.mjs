// More than one run: after failures, after a crash, with the records lost, and of two jobs.
import { same } from '../../verifier/api.mjs';
import { bank, entryOf, failure, job, keyOf, limits, oneKey, paid, payment, Records, reportsAll, sleep, times, tries } from './payroll.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */

/** Some payments fail; a later run brings the job in another order and one payment more. @param {Rng} rng @returns {Scenario} */
export function mixed(rng) {
  const work = job(rng, 5);
  const bounds = limits(rng);
  const [fine, failing] = [[0, 2, 4].map((at) => work.payments[at]), [1, 3].map((at) => work.payments[at])];
  const plan = Object.fromEntries(rng.shuffle([rng.word(6), 'busy'])
    .map((code, at) => [failing[at].id, times(20, () => failure(rng, code))]));
  const again = { id: work.id, payments: [...work.payments, payment(rng, 9)].reverse() };
  return {
    name: 'mixed',
    judge: {
      'continues-after-failure': ({ log }) => fine.every((item) => tries(log, 'transfer', item).length > 0),
      'failed-tried-again': ({ log, facts }) => failing.every((item) => tries(log, 'again', item).length > 0 && same(entryOf(facts, item.id), paid(item))),
      'finished-not-repeated': ({ log }) => fine.every((item) => tries(log, 'transfer', item).length === 0 || tries(log, 'again', item).length === 0),
      'reports-finished-work': ({ facts }) => fine.every((item) => same(entryOf(facts, item.id), paid(item))),
    },
    async drive(s) {
      const shared = { adapter: new Records().adapter(s), sleep: sleep(s), ...bounds };
      await s.call('runPayroll', work, { bank: bank(s, 'transfer', { plan }), ...shared });
      return s.call('runPayroll', again, { bank: bank(s, 'again'), ...shared });
    },
  };
}

/**
 * The process dies in the middle of a transfer: a later run finds the records of that moment. A third run finds none.
 * @param {Rng} rng @returns {Scenario}
 */
export function crashed(rng) {
  const work = job(rng, rng.int(4, 6));
  const bounds = limits(rng);
  const at = rng.int(2, work.payments.length - 2);
  const before = work.payments.slice(0, at);
  return {
    name: 'crashed',
    judge: {
      'finished-not-repeated': ({ log }) => before.every((item) => tries(log, 'resumed', item).length === 0),
      'reports-finished-work': ({ facts }) => reportsAll(facts, 'complete', work.payments.map(paid)),
      'remembers-only-records': ({ log }) => work.payments.every((item) => tries(log, 'blank', item).length > 0),
      'no-duplicate-after-crash': ({ log }) => work.payments.every((item) => oneKey(['transfer', 'resumed', 'blank'].flatMap((name) => tries(log, name, item)))),
    },
    async drive(s) {
      const records = new Records();
      let found = new Records();
      const watching = bank(s, 'transfer', {
        answer: (id) => {
          if (id === work.payments[at].id) found = records.copy();
        },
      });
      const shared = { sleep: sleep(s), ...bounds };
      await s.call('runPayroll', work, { bank: watching, adapter: records.adapter(s), ...shared });
      const resumed = await s.call('runPayroll', work, { bank: bank(s, 'resumed'), adapter: found.adapter(s), ...shared });
      await s.call('runPayroll', work, { bank: bank(s, 'blank'), adapter: new Records().adapter(s), ...shared });
      return resumed;
    },
  };
}

/**
 * Payments that are equal in all but their ids, and two jobs that are equal in all but theirs. Written side by side without
 * anything between them, the ids of job and payment are the same text for two of the payments.
 * @param {Rng} rng @returns {Scenario}
 */
export function twoJobs(rng) {
  const first = job(rng, 2);
  const [middle, end] = [rng.word(2), `${rng.word(4)}9`];
  first.payments.push(...[end, `${middle}${end}`].map((id) => ({ ...first.payments[0], id })));
  const second = { ...first, id: `${first.id}${middle}` };
  const bounds = limits(rng);
  return {
    name: 'two-jobs',
    judge: {
      'payments-not-merged': ({ log, facts }) => {
        const count = 2 * first.payments.length;
        return log.calls('transfer').length === count && new Set(log.calls('transfer').map(keyOf)).size === count
          && facts.every((/** @type {any} */ result) => reportsAll(result, 'complete', first.payments.map(paid)));
      },
    },
    async drive(s) {
      const options = { bank: bank(s, 'transfer'), adapter: new Records().adapter(s), sleep: sleep(s), ...bounds };
      return [await s.call('runPayroll', first, options), await s.call('runPayroll', second, options)];
    },
  };
}
