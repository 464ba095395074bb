// Drafts and amendments that cannot be read, or that read differently each time: other systems hand over anything.
import { get, same } from '../../verifier/api.mjs';
import { failedWith, openDesk, paid, plainRefund, shown, summaryOf } from './desk.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */
/** @typedef {import('../../types').Driver} Driver @typedef {import('../../types').CallResult} CallResult */
/** @typedef {{ draft: unknown, changes?: unknown }} Step */

const HOSTILE = ['cyclic', 'throwing-getter', 'revoked-proxy', 'function', 'symbol', 'class-instance'];
const MOST_READS = 6;

/** @param {CallResult} result */
function refused(result) {
  return failedWith(result, 'invalid-input');
}

/** @param {Driver} s @param {Step[]} steps whether each draft was taken, and what its submit gave */
async function submitEach(s, steps) {
  const desk = await openDesk(s, () => ({ approved: true }));
  const kept = [];
  const results = [];
  for (const [at, step] of steps.entries()) {
    const id = `draft-${at}`;
    const taken = [await desk.draft(id, step.draft), ...('changes' in step ? [await desk.amend(id, step.changes)] : [])];
    kept.push(taken.every(({ ok }) => ok));
    results.push(await desk.submit(id));
  }
  return { kept, results };
}

/** No refund, whatever a reader makes of it: the value alone, amended, and in the place of a field. @param {Rng} rng @returns {Scenario} */
export function strange(rng) {
  const good = plainRefund(rng);
  const note = rng.word(6);
  return {
    name: 'strange-draft',
    judge: {
      'reports-invalid-draft': ({ facts }) => facts.results.length === 4 * HOSTILE.length && facts.kept.every(Boolean) && facts.results.every(refused),
      'invalid-draft-reaches-nobody': ({ log }) => log.calls('approve').length === 0 && log.calls('pay').length === 0,
    },
    drive: (s) => submitEach(s, HOSTILE.map((kind) => s.hostile(kind)).flatMap((value) => [
      { draft: value }, { draft: value, changes: { note } }, { draft: { ...good, note: value } }, { draft: good, changes: { note: value } },
    ])),
  };
}

/** Whether such changes leave the draft or spoil it is not promised; that the desk goes on is. @param {Rng} rng @returns {Scenario} */
export function strangeChanges(rng) {
  const goods = HOSTILE.map(() => plainRefund(rng));
  return {
    name: 'strange-changes',
    judge: {
      'reports-invalid-draft': ({ facts }) => facts.results.length === HOSTILE.length && facts.kept.every(Boolean)
        && facts.results.every((/** @type {CallResult} */ result) => refused(result) || get(result.value, 'ok') === true),
      'invalid-draft-reaches-nobody': ({ log }) => log.calls('approve').every((ask) => goods.some((good) => same(shown(ask), good))),
    },
    drive: (s) => submitEach(s, HOSTILE.map((kind, at) => ({ draft: goods[at], changes: s.hostile(kind) }))),
  };
}

/**
 * The first reads of `cents` give good amounts, each another one, and all later reads a bad one. Which amount counts is
 * not promised; that the person is asked about a valid one and that this very one is paid is.
 * @param {Rng} rng @returns {Scenario}
 */
export function drifting(rng) {
  const drafts = Array.from({ length: MOST_READS }, () => plainRefund(rng));
  const amounts = drafts.map(({ cents }) => cents);
  return {
    name: 'drifting-draft',
    judge: {
      'invalid-draft-reaches-nobody': ({ log }) => log.calls('approve').every((ask) => drafts.some(({ order }) => amounts.some((cents) => same(shown(ask), { order, cents })))),
      'payment-is-what-was-approved': ({ log }) => {
        const asked = log.calls('approve').map(shown);
        return log.calls('pay').every((pay) => asked.some((refund) => same(paid(pay), refund)));
      },
      'asks-with-exact-summary': ({ log }) => log.calls('approve').every((ask) => get(ask.args[0], 'summary') === summaryOf(/** @type {any} */ (shown(ask)))),
      'reports-invalid-draft': ({ facts }) => facts.kept.length === MOST_READS && facts.kept.every(Boolean)
        && facts.results.every((/** @type {CallResult} */ result) => refused(result) || get(result.value, 'ok') === true),
    },
    drive: (s) => submitEach(s, drafts.map((draft, at) => ({ draft: s.hostile('drifting', draft, 'cents', [...amounts.slice(0, at + 1), 0]) }))),
  };
}
