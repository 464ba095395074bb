// Submits that must not reach anybody: drafts that are no refunds, and ids that are not on the desk.
import { failedWith, hasIssue, openDesk, plainRefund } from './desk.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */
/** @typedef {{ draft: unknown, changes?: Record<string, unknown>, paths: string[] }} Invalid */

/** @param {Rng} rng @returns {Invalid[]} what is wrong, and which paths must be named */
function invalidDrafts(rng) {
  const good = plainRefund(rng);
  const extra = rng.word(7);
  /** @param {Record<string, unknown>} changes @param {...string} paths */
  const but = (changes, ...paths) => ({ draft: { ...good, ...changes }, paths });
  return [
    but({ cents: String(good.cents) }, '/cents'),
    but({ cents: good.cents + 0.5 }, '/cents'),
    but({ cents: rng.pick([0, -good.cents]) }, '/cents'),
    but({ cents: 500_001 }, '/cents'),
    but({ cents: rng.pick([null, true, [good.cents]]) }, '/cents'),
    but({ order: good.order.toUpperCase() }, '/order'),
    but({ order: rng.word(2) }, '/order'),
    but({ order: rng.word(21) }, '/order'),
    but({ order: `${good.order}\n` }, '/order'),
    but({ order: `${rng.pick([' ', 'A', '-', '_', '.', 'é'])}${good.order}` }, '/order'),
    but({ order: `${good.order}${rng.pick([' ', 'Z', '-', '_', '.', 'é'])}` }, '/order'),
    but({ note: rng.word(81) }, '/note'),
    but({ note: rng.pick([null, 7, ['text']]) }, '/note'),
    but({ [extra]: true }, `/${extra}`),
    but({ order: 17, cents: 'many', note: false }, '/order', '/cents', '/note'),
    { draft: { order: good.order }, paths: ['/cents'] },
    { draft: { cents: good.cents }, paths: ['/order'] },
    { draft: rng.pick([null, [], good.order]), paths: [] },
    { draft: good, changes: { cents: 0 }, paths: ['/cents'] },
    { draft: rng.pick([null, [], good.order, good.cents]), changes: { note: rng.word(5) }, paths: [] },
  ];
}

/** @param {Rng} rng @returns {Scenario} */
export function invalid(rng) {
  const cases = rng.shuffle(invalidDrafts(rng));
  return {
    name: 'invalid',
    judge: {
      'reports-invalid-draft': ({ facts }) => cases.every(({ paths }, at) => facts.kept[at] && failedWith(facts.results[at], 'invalid-input')
        && paths.every((path) => hasIssue(facts.results[at].value, path))),
      'invalid-draft-reaches-nobody': ({ log }) => log.calls('approve').length === 0 && log.calls('pay').length === 0,
    },
    async drive(s) {
      const desk = await openDesk(s, () => ({ approved: true }));
      const kept = [];
      const results = [];
      for (const { draft, changes } of cases) {
        const accepted = [await desk.draft('draft', draft), ...(changes ? [await desk.amend('draft', changes)] : [])];
        kept.push(accepted.every(({ ok }) => ok));
        results.push(await desk.submit('draft'));
      }
      return { kept, results };
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function unknown(rng) {
  const [here, gone] = [rng.word(5), rng.word(6)];
  const refund = plainRefund(rng);
  return {
    name: 'unknown-draft',
    judge: {
      'reports-unknown-draft': ({ log, facts }) => log.calls('approve').length === 0 && facts.amended.ok
        && facts.results.every((/** @type {any} */ result) => failedWith(result, 'unknown-draft')),
    },
    async drive(s) {
      const desk = await openDesk(s, () => ({ approved: true }));
      await desk.draft(here, refund);
      const results = [await desk.submit(gone)];
      const amended = await desk.amend(gone, refund);
      return { amended, results: [...results, await desk.submit(gone), await desk.submit('constructor')] };
    },
  };
}
