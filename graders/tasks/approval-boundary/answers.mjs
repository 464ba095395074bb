// One submit after another: approved, denied, answered with something else, failed to ask, failed to pay.
import { same } from '../../verifier/api.mjs';
import {
  failedWith, notedRefund, nothingPaidAfterAnswer, nothingPaidBeforeAnswer, openDesk, openDeskWith, paid, paidWith, plainRefund,
  shown, summaryOf, thinking,
} from './desk.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */

const WHY = 'a reason that a person typed';

/**
 * The limits themselves, ordinary refunds, and one that was amended before it was submitted.
 * @param {Rng} rng @returns {{ draft: import('./desk.mjs').Refund, changes?: Partial<import('./desk.mjs').Refund> }[]}
 */
function drafts(rng) {
  const first = plainRefund(rng);
  const changes = { cents: first.cents + 1, note: rng.text(12) };
  return [
    ...rng.shuffle([
      { draft: notedRefund(rng) },
      { draft: { order: `${rng.word(2)}${rng.int(0, 9)}`, cents: 1 } },
      { draft: { order: `${rng.int(10, 99)}${rng.word(18)}`, cents: 500_000, note: rng.word(80) } },
      { draft: plainRefund(rng) },
    ]),
    { draft: first, changes },
  ];
}

/** @param {Rng} rng @returns {Scenario} */
export function approved(rng) {
  const steps = drafts(rng);
  const refunds = steps.map(({ draft, changes }) => ({ ...draft, ...changes }));
  const references = refunds.map(() => rng.uuid());
  const id = rng.word(6);
  const options = thinking(rng);
  return {
    name: 'approved',
    judge: {
      'asks-with-exact-input': ({ log }) => same(log.calls('approve').map(shown), refunds),
      'asks-with-exact-summary': ({ log }) => same(log.calls('approve').map(({ args }) => [args[0].toolName, args[0].summary]),
        refunds.map((refund) => ['refund', summaryOf(refund)])),
      'pays-approved-refund': ({ log }) => same(log.calls('pay').map(paid), refunds),
      'returns-payment': ({ facts }) => references.every((reference, at) => paidWith(facts[at], { reference })),
      'no-payment-before-approval': nothingPaidBeforeAnswer,
    },
    async drive(s) {
      let payments = 0;
      const desk = await openDeskWith(s, () => ({ approved: true }), options, async () => {
        payments += 1;
        return { reference: references[payments - 1] };
      });
      const results = [];
      for (const { draft, changes } of steps) {
        await desk.draft(id, draft);
        if (changes) await desk.amend(id, changes);
        results.push(await desk.submit(id));
      }
      return results;
    },
  };
}

/**
 * Submits one draft for each answer and tells the results.
 * @param {string} name @param {Rng} rng @param {unknown[]} answers @param {import('../../types').Judges} judge @returns {Scenario}
 */
function answered(name, rng, answers, judge) {
  const refunds = answers.map(() => plainRefund(rng));
  const options = thinking(rng);
  return {
    name,
    judge: { ...judge, 'no-payment-without-approval': nothingPaidAfterAnswer, 'no-payment-before-approval': nothingPaidBeforeAnswer },
    async drive(s) {
      const left = [...answers];
      const desk = await openDesk(s, () => {
        const answer = left.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      }, options);
      const results = [];
      for (const [at, refund] of refunds.entries()) {
        await desk.draft(`draft-${at}`, refund);
        results.push(await desk.submit(`draft-${at}`));
      }
      return results;
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function denied(rng) {
  return answered('denied', rng, rng.shuffle([{ approved: false }, { approved: false, reason: WHY }]), {
    'reports-denial': ({ facts }) => facts.every((/** @type {any} */ result) => failedWith(result, 'approval-denied')),
  });
}

/** @param {Rng} rng @returns {Scenario} answers that a careless check takes for a yes */
export function doubtful(rng) {
  const answers = [true, 'yes', 1, undefined, null, {}, [true], { approved: 'true' }, { approved: 1 }, { approve: true },
    { approved: { approved: true } }];
  return answered('doubtful-answer', rng, rng.shuffle(answers), {});
}

/** @param {Rng} rng @returns {Scenario} */
export function failedRequest(rng) {
  const failure = Object.assign(new Error(rng.text(12)), { code: rng.word(5), approved: true });
  return answered('failed-request', rng, [failure, new TypeError(rng.word(8))], {
    'reports-failed-request': ({ facts }) => facts.every((/** @type {any} */ result) => failedWith(result, 'approval-failed')),
  });
}

/** The bank fails, in ways that invite another attempt. @param {Rng} rng @returns {Scenario} */
export function failedPayment(rng) {
  const secret = rng.uuid();
  const failure = Object.assign(new Error(`${secret} timed out`), { code: 'ETIMEDOUT', retryable: true });
  const refund = plainRefund(rng);
  const options = thinking(rng);
  return {
    name: 'failed-payment',
    judge: {
      'reports-failed-payment': ({ facts }) => facts.every((/** @type {any} */ result) => failedWith(result, 'tool-failed')
        && !JSON.stringify(result.value).includes(secret)),
      'approval-used-once': ({ log }) => log.calls('approve').length === 2 && log.calls('pay').length <= 2,
    },
    async drive(s) {
      const desk = await openDeskWith(s, () => ({ approved: true }), options, async () => {
        throw failure;
      });
      await desk.draft('late', refund);
      return [await desk.submit('late'), await desk.submit('late')];
    },
  };
}
