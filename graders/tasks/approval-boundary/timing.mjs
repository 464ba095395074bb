// What happens while an answer is awaited: aborts, changed drafts, other submits, and submits of the same refund.
import { get, same } from '../../verifier/api.mjs';
import { failedWith, openDesk, paid, plainRefund, shown, thinking } from './desk.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario @typedef {import('../../types').Log} Log */

/** A decision that is given when the scenario says so. */
function gate() {
  /** @type {PromiseWithResolvers<unknown>} */
  const { promise, resolve } = Promise.withResolvers();
  return { promise, answer: (/** @type {boolean} */ approved) => resolve({ approved }) };
}

/**
 * Fires while the person thinks, who then approves all the same; then a submit with the signal that has fired.
 * @param {Rng} rng @returns {Scenario}
 */
export function aborted(rng) {
  const [waiting, later] = [plainRefund(rng), plainRefund(rng)];
  const reason = rng.bool() ? new Error(rng.word(6)) : undefined;
  return {
    name: 'aborted',
    judge: {
      'reports-abort': ({ log, facts }) => facts.atOnce && failedWith(facts.first, 'aborted') && failedWith(facts.second, 'aborted')
        && log.calls('approve').length === 1,
      'no-payment-after-abort': ({ log, facts }) => !log.calls('pay').some((pay) => log.sentAfter(pay, facts.fired)),
    },
    async drive(s) {
      const answer = gate();
      const desk = await openDesk(s, () => answer.promise);
      const signal = s.signal();
      await desk.draft('waiting', waiting);
      await desk.draft('later', later);
      const first = desk.submit('waiting', { signal });
      s.need(await s.until(() => s.log.calls('approve').length === 1));
      const fired = s.abort(signal, reason);
      const atOnce = await Promise.race([first.then(() => true), s.wait(600).then(() => false)]);
      answer.answer(true);
      const facts = { fired, atOnce, first: await first };
      await s.wait(20);
      return { ...facts, second: await desk.submit('later', { signal }) };
    },
  };
}

/** The draft changes while the person looks at it. @param {Rng} rng @returns {Scenario} */
export function amended(rng) {
  const [before, after] = [plainRefund(rng), plainRefund(rng)];
  const replace = rng.bool();
  return {
    name: replace ? 'replaced-while-waiting' : 'amended-while-waiting',
    judge: {
      'payment-is-what-was-approved': ({ log }) => {
        const asks = log.calls('approve');
        return log.calls('pay').every((pay, at) => at < asks.length && same(paid(pay), shown(asks[at])));
      },
      'pays-approved-refund': ({ log }) => log.calls('pay').length === 2,
    },
    async drive(s) {
      const answer = gate();
      const desk = await openDesk(s, () => answer.promise);
      await desk.draft('draft', before);
      const first = desk.submit('draft');
      s.need(await s.until(() => s.log.calls('approve').length === 1));
      await desk.amend('draft', { cents: after.cents });
      if (replace) await desk.draft('draft', after);
      answer.answer(true);
      return [await first, await desk.submit('draft')];
    },
  };
}

/**
 * Three drafts wait and are answered out of order; two are approved, so one of those is not the newest.
 * @param {Rng} rng @returns {Scenario}
 */
export function overlapping(rng) {
  const refunds = [plainRefund(rng), plainRefund(rng), plainRefund(rng)];
  const no = rng.int(0, 2);
  const order = rng.shuffle([0, 1, 2]);
  return {
    name: 'overlapping',
    judge: {
      'payment-is-what-was-approved': ({ log }) => {
        const asks = log.calls('approve').filter(({ reply }) => reply !== null);
        const first = asks.map(({ reply }) => reply).sort((a, b) => Number(a?.index) - Number(b?.index))[0];
        const late = log.calls('pay').filter((pay) => first && log.sentAfter(pay, first)).map(paid);
        return asks.length === 3 && refunds.every((refund, at) => {
          const times = late.filter((payment) => same(payment, refund)).length;
          return at === no ? times === 0 : times <= 1;
        }) && late.every((payment) => refunds.some((refund) => same(payment, refund)));
      },
    },
    async drive(s) {
      const gates = refunds.map(gate);
      const indexOf = (/** @type {unknown} */ request) => refunds.findIndex(({ order: id }) => id === get(request, 'input', 'order'));
      const desk = await openDesk(s, (request) => gates[indexOf(request)]?.promise);
      for (const refund of refunds) await desk.draft(refund.order, refund);
      const submits = refunds.map((refund) => desk.submit(refund.order));
      await s.until(() => s.log.calls('approve').length === 3);
      for (const at of order) {
        gates[at].answer(at !== no);
        await s.wait(15);
      }
      return Promise.all(submits);
    },
  };
}

/** The same refund again, last under another id: the person changes their mind. @param {Rng} rng @returns {Scenario} */
export function repeated(rng) {
  const refund = plainRefund(rng);
  const options = thinking(rng);
  return {
    name: 'repeated',
    judge: {
      'approval-used-once': ({ log }) => {
        const asks = log.calls('approve');
        const refusal = asks[2]?.reply;
        return asks.length === 3 && log.calls('pay').length <= 3 && !log.calls('pay').some((pay) => refusal && log.sentAfter(pay, refusal));
      },
    },
    async drive(s) {
      const left = [true, true];
      const desk = await openDesk(s, () => ({ approved: left.pop() ?? false }), options);
      await desk.draft('one', refund);
      await desk.draft('two', refund);
      return [await desk.submit('one'), await desk.submit('one'), await desk.submit('two')];
    },
  };
}

/** One draft submitted twice at once; only the first request is approved. @param {Rng} rng @returns {Scenario} */
export function simultaneous(rng) {
  const refund = plainRefund(rng);
  return {
    name: 'simultaneous',
    judge: {
      'approval-used-once': ({ log }) => {
        const [first, second, ...more] = log.calls('approve');
        if (!first?.reply || !second?.reply || more.length > 0) return false;
        const yes = first.reply;
        const pays = log.calls('pay');
        return pays.length <= 2 && pays.filter((pay) => log.sentAfter(pay, yes)).length <= 1;
      },
    },
    async drive(s) {
      const gates = [gate(), gate()];
      let asked = 0;
      const desk = await openDesk(s, () => {
        asked += 1;
        return gates[asked - 1]?.promise;
      });
      await desk.draft('draft', refund);
      const submits = [desk.submit('draft'), desk.submit('draft')];
      await s.until(() => s.log.calls('approve').length === 2);
      for (const [at, { answer }] of gates.entries()) {
        answer(at === 0);
        await s.wait(15);
      }
      return Promise.all(submits);
    },
  };
}
