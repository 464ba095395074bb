// Meetings that break one thing each, and where it is.
import { bare, booking, date, DAY, full, guest, startAt, times } from './meetings.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('./meetings.mjs').Meeting} Meeting */
/** @typedef {{ input: any, path: string }} Fault */

/** @param {string | number} key */
function token(key) {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** @param {Rng} rng @param {(string | number)[]} keys @param {unknown} value undefined: the key is missing @returns {Fault} in a meeting of its own */
function broken(rng, keys, value) {
  const input = structuredClone(full(rng));
  const last = keys[keys.length - 1];
  const parent = keys.slice(0, -1).reduce((at, key) => at[key], /** @type {any} */ (input));
  if (value === undefined) delete parent[last];
  else Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true });
  return { input, path: keys.map((key) => `/${token(key)}`).join('') };
}

/** @param {Rng} rng @param {(string | number)[]} keys @param {unknown[]} values */
function each(rng, keys, values) {
  return values.map((value) => broken(rng, keys, value));
}

/** @param {Rng} rng @returns {Fault[]} values of the right type, out of the limits or missing */
export function limitFaults(rng) {
  const day = date(rng);
  const crowd = Object.fromEntries(times(6, (at) => [`${rng.word(3)}${at}`, 1]));
  return [
    ...each(rng, ['room'], ['', `${rng.word(1)}-1`, rng.word(6), `${rng.word(4)}-`, `${rng.word(4).toUpperCase()}-1`, `${rng.word(13)}-1`,
      `${rng.word(4)}-1234`, `${rng.word(4)}-1\n`, ` ${rng.word(4)}-1`, `${rng.word(2)}-${rng.word(2)}-1`, undefined]),
    ...each(rng, ['start'], ['', day, `${day} 10:00:00Z`, `${day}T10:00:00`, `${day}T10:00:30Z`, `${day}T10:00Z`, `${day}T10:00:00+00:00`,
      `${day}T24:00:00Z`, `${day}T10:60:00Z`, `${day.slice(0, 4)}-13-01T10:00:00Z`, '2023-02-29T10:00:00Z', `${day}T10:00:00.000Z`, undefined]),
    ...each(rng, ['minutes'], [0, -15, 495, 15 * rng.int(34, 90), 15 * rng.int(1, 20) + rng.int(1, 14), 22.5, undefined]),
    ...each(rng, ['guests'], [[], times(21, (at) => guest(rng, at)), undefined]),
    ...each(rng, ['guests', 1, 'email'], ['', rng.word(6), `${rng.word(4)}@`, `${rng.word(3)}@${rng.word(3)}@a.example`, undefined]),
    ...each(rng, ['guests', 1, 'name'], ['', rng.word(61), '🙂'.repeat(61), undefined]),
    ...each(rng, ['title'], ['', rng.word(81), '🙂'.repeat(81)]),
    ...each(rng, ['equipment'], [crowd]),
    ...each(rng, ['equipment', `${rng.word(3)}/${rng.word(2)}`], [0, -1, 11, 1.5]),
  ];
}

/** @param {Rng} rng @returns {Fault[]} values that a converting reader would take */
export function typeFaults(rng) {
  const minutes = 15 * rng.int(1, 20);
  const start = startAt(date(rng), rng.int(0, 600));
  return [
    ...each(rng, ['minutes'], [String(minutes), ` ${minutes} `, [minutes], BigInt(minutes), true, null, NaN]),
    ...each(rng, ['start'], [new Date(start), Date.parse(start), [start], null]),
    ...each(rng, ['room'], [rng.int(1, 99), [`${rng.word(4)}-1`], null]),
    ...each(rng, ['guests'], [guest(rng, 0), { 0: guest(rng, 0) }, rng.email(), null]),
    ...each(rng, ['guests', 0], [rng.email(), [guest(rng, 7)], null]),
    ...each(rng, ['guests', 0, 'name'], [rng.int(1, 99), true, null]),
    ...each(rng, ['title'], [rng.int(1, 99), false, [rng.word(4)], null]),
    ...each(rng, ['equipment'], [[2], rng.word(4), null]),
    ...each(rng, ['equipment', rng.word(4)], ['2', true, [2], null]),
  ];
}

/** @param {Rng} rng @returns {Fault[]} */
export function unknownFaults(rng) {
  const names = [rng.word(7), `${rng.word(3)}/${rng.word(3)}`, 'Title', 'toString', 'id'];
  return names.flatMap((name) => [broken(rng, [name], booking(rng).id), broken(rng, ['guests', 1, name], rng.word(4))]);
}

/** @param {Rng} rng @returns {Fault[]} keys that a careless copy or merge takes for a prototype */
export function dangerousFaults(rng) {
  return ['__proto__', 'constructor', 'prototype'].flatMap((key) => [
    broken(rng, [key], { minutes: 15 }), broken(rng, ['guests', 0, key], { name: rng.word(5) }), broken(rng, ['equipment', key], rng.int(1, 9)),
  ]);
}

/** @param {Rng} rng @returns {{ input: any, paths: string[] }[]} several faults in one input */
export function manyFaults(rng) {
  const extra = rng.word(7);
  const meeting = bare(rng);
  return [
    { input: { ...meeting, room: rng.word(5), minutes: 7, [extra]: 1 }, paths: ['/room', '/minutes', `/${extra}`] },
    { input: { guests: [{ email: rng.word(5) }, { ...guest(rng, 1), name: '' }], title: '' }, paths: ['/room', '/start', '/minutes', '/guests/0/email', '/guests/0/name', '/guests/1/name', '/title'] },
    { input: { ...meeting, minutes: '30', equipment: { a: 0, b: 1, c: 99 } }, paths: ['/minutes', '/equipment/a', '/equipment/c'] },
  ];
}

/** @param {Rng} rng @returns {{ input: Meeting, issues: { path: string, keyword: string }[] }[]} valid by the schema, wrong by the rules */
export function ruleBreaches(rng) {
  const day = date(rng);
  /** @param {number} past minutes after midnight */
  const late = (past) => {
    const minutes = 15 * rng.int(4, 30);
    return { ...full(rng), start: startAt(day, DAY - minutes + past), minutes };
  };
  const [first, second, third] = times(3, (at) => guest(rng, at));
  /** @param {{ email: string }} other @param {boolean} shout */
  const alike = ({ email }, shout) => ({ ...guest(rng, 9), email: shout ? email.toUpperCase() : email.toLowerCase() });
  const sameDay = { path: '/minutes', keyword: 'same-day' };
  /** @param {number} at */
  const distinct = (at) => ({ path: `/guests/${at}/email`, keyword: 'distinct' });
  return [
    { input: late(1), issues: [sameDay] },
    { input: late(rng.int(2, 50)), issues: [sameDay] },
    { input: { ...full(rng), start: startAt('2024-12-31', DAY - 1), minutes: 15 }, issues: [sameDay] },
    { input: { ...bare(rng), guests: [first, second, { ...first }] }, issues: [distinct(2)] },
    { input: { ...bare(rng), guests: [first, alike(first, true), second, alike(first, false), third] }, issues: [distinct(1), distinct(3)] },
    { input: { ...late(rng.int(1, 9)), guests: [third, first, alike(third, rng.bool()), alike(first, rng.bool())] }, issues: [sameDay, distinct(2), distinct(3)] },
  ];
}
