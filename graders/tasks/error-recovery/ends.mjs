// How a run ends early: the signal, records that fail or cannot be read, and jobs that are none.
import { isError, same } from '../../verifier/api.mjs';
import { bank, failure, job, limits, paid, payment, paymentOf, Records, reportsAll, sleep, times, tries } from './payroll.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario @typedef {import('../../types').CallResult} CallResult */

/** Something that happens when the scenario says so. */
function gate() {
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve } = Promise.withResolvers();
  return { promise, open: () => resolve() };
}

/** The signal fires during a wait that ignores it; another job is run with a signal that has fired. @param {Rng} rng @returns {Scenario} */
export function aborted(rng) {
  const [work, late] = [job(rng, 3), job(rng, 2)];
  const [first, second] = work.payments;
  const bounds = limits(rng);
  const plan = { [second.id]: times(20, () => failure(rng, 'busy')) };
  const reason = rng.bool() ? new Error(rng.word(6)) : undefined;
  return {
    name: 'aborted',
    judge: {
      'reports-abort': ({ facts }) => facts.atOnce && reportsAll(facts.during, 'aborted', [paid(first)]) && reportsAll(facts.before, 'aborted', []),
      'no-transfer-after-abort': ({ log, facts }) => !log.calls('transfer').some((call) => log.sentAfter(call, facts.fired)),
    },
    async drive(s) {
      const waiting = gate();
      const signal = s.signal();
      const options = { bank: bank(s, 'transfer', { plan }), adapter: new Records().adapter(s), sleep: sleep(s, () => waiting.promise), signal, ...bounds };
      const running = s.call('runPayroll', work, options);
      await s.until(() => s.log.calls('sleep').length > 0 || tries(s.log, 'transfer', second).some(({ reply }) => reply !== null));
      await s.wait(15);
      const fired = s.abort(signal, reason);
      const atOnce = await Promise.race([running.then(() => true), s.wait(700).then(() => false)]);
      waiting.open();
      const during = await running;
      return { fired, atOnce, during, before: await s.call('runPayroll', late, options) };
    },
  };
}

/** The signal fires while the bank works on a transfer; then the job is run again. @param {Rng} rng @returns {Scenario} */
export function underWay(rng) {
  const work = job(rng, 4);
  const [first, second, ...others] = work.payments;
  const bounds = limits(rng);
  return {
    name: 'under-way',
    judge: {
      // A run that repeats all finished work says nothing about this record: that is another fault.
      'keeps-transfer-under-way': ({ log, facts }) => reportsAll(facts.stopped, 'aborted', [paid(first), paid(second)])
        && (tries(log, 'again', second).length === 0 || tries(log, 'again', first).length > 0),
      'no-transfer-after-abort': ({ log, facts }) => !log.calls('transfer').some((call) => log.sentAfter(call, facts.fired))
        && others.every((item) => tries(log, 'transfer', item).length === 0),
    },
    async drive(s) {
      const working = gate();
      const signal = s.signal();
      const shared = { adapter: new Records().adapter(s), sleep: sleep(s), ...bounds };
      const slow = bank(s, 'transfer', { answer: (id) => (id === second.id ? working.promise : undefined) });
      const running = s.call('runPayroll', work, { bank: slow, signal, ...shared });
      s.need(await s.until(() => tries(s.log, 'transfer', second).length > 0));
      const fired = s.abort(signal);
      await s.wait(20);
      working.open();
      const stopped = await running;
      await s.call('runPayroll', work, { bank: bank(s, 'again'), ...shared });
      return { fired, stopped };
    },
  };
}

/** The record of the second payment cannot be written; the error has a code of its own, or one that the bank uses too. @param {Rng} rng @returns {Scenario} */
export function failingRecords(rng) {
  const rounds = rng.shuffle([rng.word(8), 'busy']).map((code, at) => ({ name: `transfer-${at}`, error: failure(rng, code), work: job(rng, 4) }));
  const bounds = limits(rng);
  return {
    name: 'failing-records',
    judge: {
      'record-failure-stops': ({ log, facts }) => rounds.every(({ name, error, work }, at) => !facts[at].ok && isError(facts[at].error, { code: error.code })
        && same(log.calls(name).map(paymentOf), work.payments.slice(0, 2).map(({ id }) => id))),
    },
    async drive(s) {
      const results = [];
      for (const { name, error, work } of rounds) {
        const records = new Records();
        records.putFails = () => (s.log.calls(name).length >= 2 ? error : null);
        results.push(await s.call('runPayroll', work, { bank: bank(s, name), adapter: records.adapter(s), sleep: sleep(s), ...bounds }));
      }
      return results;
    },
  };
}

/** Two payments are recorded, and something has written over the records. @param {Rng} rng @returns {Scenario} */
export function unreadable(rng) {
  const work = job(rng, 4);
  const bounds = limits(rng);
  const junk = new TextEncoder().encode(rng.pick(['{"value":', rng.word(9), '']));
  return {
    name: 'unreadable',
    judge: {
      'record-failure-stops': ({ log, facts }) => !facts.ok && isError(facts.error, { code: 'journal-corrupt' })
        && work.payments.slice(2).every((item) => tries(log, 'again', item).length === 0),
      'finished-not-repeated': ({ log }) => work.payments.slice(0, 2).every((item) => tries(log, 'again', item).length === 0),
    },
    async drive(s) {
      const records = new Records();
      const shared = { adapter: records.adapter(s), sleep: sleep(s), ...bounds };
      await s.call('runPayroll', { ...work, payments: work.payments.slice(0, 2) }, { bank: bank(s, 'transfer'), ...shared });
      for (const key of records.entries.keys()) records.entries.set(key, junk);
      return s.call('runPayroll', work, { bank: bank(s, 'again'), ...shared });
    },
  };
}

/** @param {Rng} rng @returns {unknown[]} each breaks one rule */
function invalidJobs(rng) {
  const good = job(rng, 3);
  /** @param {Record<string, unknown>} changes */
  const withPayment = (changes) => ({ ...good, payments: [...good.payments, { ...payment(rng, 9), ...changes }] });
  return [
    ...['', rng.word(31), rng.word(5).toUpperCase(), `${rng.word(3)}-${rng.word(3)}`, `${rng.word(4)}\n`, rng.int(1, 99), undefined].map((id) => ({ ...good, id })),
    ...['', rng.word(31), `${rng.word(3)}_1`, `${rng.word(4)}/x`, ` ${rng.word(4)}`, rng.int(1, 99), null, undefined].map((id) => withPayment({ id })),
    ...['', rng.word(35), rng.int(1, 99), undefined].map((account) => withPayment({ account })),
    ...[0, -rng.int(1, 99), rng.int(1, 99) + 0.5, 10_000_001, String(rng.int(1, 99)), NaN, null, undefined].map((cents) => withPayment({ cents })),
    withPayment({ id: rng.pick(good.payments).id }),
    ...[null, 'pay', []].map((item) => ({ ...good, payments: [...good.payments, item] })),
    ...[undefined, null, {}, good.id].map((payments) => ({ ...good, payments })),
    ...[null, undefined, good.id, []],
  ];
}

/** @param {Rng} rng @returns {Scenario} */
export function invalid(rng) {
  const jobs = rng.shuffle(invalidJobs(rng));
  const bounds = limits(rng);
  return {
    name: 'invalid',
    judge: {
      'refuses-invalid-job': ({ log, facts }) => facts.every((/** @type {CallResult} */ { ok, error }) => !ok && isError(error, { code: 'invalid-job' }))
        && ['transfer', 'get', 'put', 'has', 'delete', 'list'].every((name) => log.calls(name).length === 0),
    },
    async drive(s) {
      const options = { bank: bank(s, 'transfer'), adapter: new Records().adapter(s), sleep: sleep(s), ...bounds };
      return Promise.all(jobs.map((item) => s.call('runPayroll', item, options)));
    },
  };
}
