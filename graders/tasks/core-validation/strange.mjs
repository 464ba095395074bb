// Input made to mislead or to break a reader.
import { bareOrder, fullOrder } from './orders.mjs';
import { callAll, refusal } from './results.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */
/** @typedef {import('../../types').CallResult} CallResult */

/** @param {string} key @param {unknown} value @returns {Record<string, unknown>} an object with that own key, `__proto__` included */
export function own(key, value) {
  return Object.defineProperty({}, key, { value, enumerable: true, writable: true, configurable: true });
}

/** @param {Rng} rng @returns {Scenario} */
export function dangerous(rng) {
  const inputs = ['__proto__', 'constructor', 'prototype'].flatMap((key) => {
    const [full, bare] = [fullOrder(rng), bareOrder(rng)];
    const line = rng.int(0, bare.lines.length - 1);
    return [
      { ...bare, ...own(key, { note: rng.word(4) }) },
      { ...full, ...own(key, rng.word(4)) },
      { ...bare, lines: bare.lines.map((item, at) => (at === line ? { ...item, ...own(key, {}) } : item)) },
      { ...bare, labels: own(key, rng.word(6)) },
      { ...full, labels: { ...full.labels, ...own(key, rng.word(6)) } },
    ];
  });
  return {
    name: 'dangerous',
    judge: { 'dangerous-keys-refused': ({ facts }) => facts.length === 2 * inputs.length && allRefused(facts) },
    drive: async (s) => [
      ...await callAll(s, 'parseOrder', inputs),
      ...await callAll(s, 'parseOrderText', inputs.map((input) => JSON.stringify(input))),
    ],
  };
}

/** @param {CallResult[]} results */
function allRefused(results) {
  return results.every((result) => refusal(result) !== null);
}

const HOSTILE = ['cyclic', 'throwing-getter', 'revoked-proxy', 'function', 'symbol', 'class-instance'];
const DEPTH = 10_000;

/** @param {Rng} rng @returns {Scenario} */
export function strange(rng) {
  const order = fullOrder(rng);
  const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
  const texts = [
    deep,
    JSON.stringify({ ...order, labels: { x: 0 } }).replace('"x":0', `"x":${deep}`),
    JSON.stringify({ ...order, note: 0 }).replace('"note":0', `"note":${deep}`),
  ];
  const plain = [
    null, undefined, 0, NaN, 7n, true, '', rng.text(20), [], [order], {}, new Date(0), new Map([['id', order.id]]), new Uint8Array(8),
  ];
  return {
    name: 'strange',
    judge: {
      'never-throws': ({ facts }) => facts.length === plain.length + 4 * HOSTILE.length + texts.length && allRefused(facts),
    },
    drive: async (s) => {
      const hostile = HOSTILE.map((kind) => s.hostile(kind)).flatMap((value) => [
        value, { ...order, labels: value }, { ...order, lines: [value] }, { ...order, note: value },
      ]);
      return [...await callAll(s, 'parseOrder', [...plain, ...hostile]), ...await callAll(s, 'parseOrderText', texts)];
    },
  };
}
