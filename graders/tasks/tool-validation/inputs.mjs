// What the model sends: meetings at the limits, beyond them, against the rules, and no meetings at all.
import { get, same } from '../../verifier/api.mjs';
import { dangerousFaults, limitFaults, manyFaults, ruleBreaches, typeFaults, unknownFaults } from './faults.mjs';
import { bare, callEach, date, DAY, failedWith, full, guest, hasIssue, isRefused, issuesOf, openTool, startAt, times, untouched } from './meetings.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario @typedef {import('../../types').CallResult} CallResult */

/** @param {Rng} rng @returns {import('./meetings.mjs').Meeting[]} valid, and exactly at one limit each */
function atLimits(rng) {
  const day = date(rng);
  /** @param {Partial<import('./meetings.mjs').Meeting>} part */
  const withPart = (part) => ({ ...bare(rng), ...part });
  /** @param {number} count */
  const things = (count) => Object.fromEntries(times(count, (at) => [at === 0 ? '' : `${rng.word(4)}${at}`, rng.pick([1, 10])]));
  /** @param {string} name */
  const named = (name) => withPart({ guests: [guest(rng, 0), { ...guest(rng, 1), name }] });
  return [
    ...[`${rng.word(2)}-${rng.int(0, 9)}`, `${rng.word(12)}-${rng.int(100, 999)}`, `${rng.word(5)}-007`].map((room) => withPart({ room })),
    withPart({ start: startAt(day, 0), minutes: 480 }),
    withPart({ start: startAt(day, DAY - 480), minutes: 480 }),
    withPart({ start: startAt(day, DAY - 15), minutes: 15 }),
    withPart({ start: startAt('2024-02-29', 600) }),
    ...[1, 20].map((count) => withPart({ guests: times(count, (at) => guest(rng, at)) })),
    ...[rng.word(1), rng.word(60), '🙂'.repeat(60)].map(named),
    ...[' ', rng.word(80), '🙂'.repeat(80)].map((title) => withPart({ title })),
    ...[0, 1, 5].map((count) => withPart({ equipment: things(count) })),
  ];
}

/** @param {Rng} rng @returns {Scenario} */
export function limits(rng) {
  const inputs = rng.shuffle(atLimits(rng));
  return {
    name: 'limits',
    judge: { 'limits-accepted': ({ facts }) => facts.length === inputs.length && facts.every((/** @type {CallResult} */ result) => get(result.value, 'ok') === true) },
    drive: async (s) => callEach(await openTool(s), inputs),
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function faults(rng) {
  const single = rng.shuffle(limitFaults(rng));
  const many = manyFaults(rng);
  return {
    name: 'faults',
    judge: {
      'reports-invalid-input': ({ facts }) => single.every(({ path }, at) => failedWith(facts.single[at], 'invalid-input') && hasIssue(facts.single[at], path)),
      'reports-all-issues': ({ facts }) => many.every(({ paths }, at) => paths.every((path) => hasIssue(facts.many[at], path))),
      'invalid-input-reaches-nothing': ({ log }) => untouched(log),
    },
    async drive(s) {
      const call = await openTool(s);
      return { single: await callEach(call, single.map(({ input }) => input)), many: await callEach(call, many.map(({ input }) => input)) };
    },
  };
}

/** Wrong types, unknown keys and dangerous keys, each before a calendar of its own. @param {Rng} rng @returns {Scenario} */
export function extras(rng) {
  const kinds = Object.entries({ types: typeFaults(rng), unknown: unknownFaults(rng), dangerous: dangerousFaults(rng) });
  /** @param {string} kind @returns {import('../../types').Judge} */
  const refused = (kind) => ({ log, facts }) => untouched(log, `-${kind}`) && facts[kind].every(isRefused);
  return {
    name: 'extras',
    judge: { 'nothing-coerced': refused('types'), 'unknown-keys-refused': refused('unknown'), 'dangerous-keys-refused': refused('dangerous') },
    async drive(s) {
      const results = [];
      for (const [kind, list] of kinds) {
        const call = await openTool(s, { suffix: `-${kind}` });
        results.push([kind, await callEach(call, list.map(({ input }) => input))]);
      }
      return Object.fromEntries(results);
    },
  };
}

/** @param {{ path: unknown, keyword: unknown }[]} issues */
function sorted(issues) {
  return issues.map(({ path, keyword }) => [String(path), String(keyword)]).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param {Rng} rng @returns {Scenario} */
export function rules(rng) {
  const cases = rng.shuffle(ruleBreaches(rng));
  return {
    name: 'rules',
    judge: {
      'reports-broken-rules': ({ facts }) => cases.every(({ issues }, at) => failedWith(facts[at], 'invalid-input') && same(sorted(issuesOf(facts[at])), sorted(issues))),
      'invalid-input-reaches-nothing': ({ log }) => untouched(log),
    },
    drive: async (s) => callEach(await openTool(s), cases.map(({ input }) => input)),
  };
}

const HOSTILE = ['cyclic', 'throwing-getter', 'revoked-proxy', 'function', 'symbol', 'class-instance'];

/** @param {Rng} rng @returns {Scenario} */
export function strange(rng) {
  const meeting = full(rng);
  const plain = [null, undefined, 0, NaN, 7n, true, '', rng.text(9), [], [meeting], {}, new Date(0), new Map(Object.entries(meeting)), JSON.stringify(meeting)];
  return {
    name: 'strange',
    judge: { 'survives-any-input': ({ facts }) => facts.length === plain.length + 4 * HOSTILE.length && facts.every(isRefused) },
    async drive(s) {
      const hostile = HOSTILE.map((kind) => s.hostile(kind)).flatMap((value) => [
        value, { ...meeting, guests: [value] }, { ...meeting, title: value }, { ...meeting, [rng.word(6)]: value },
      ]);
      return callEach(await openTool(s), [...plain, ...hostile]);
    },
  };
}
