// Orders with exactly one fault each, and where that fault is.
import { date, fullLine, sku, times } from './orders.mjs';

/** @typedef {import('../../types').Rng} Rng */
/** @typedef {import('./orders.mjs').Order} Order */
/** `slot` names the part that is broken: faults of different slots can stand in one order. */
/** @typedef {{ kind: string, slot: string, path: string, break: (order: any) => void }} Fault */

/** @param {string} key @returns {string} a reference token of a JSON Pointer */
function token(key) {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** @param {string} kind @param {(string | number)[]} keys @param {unknown} value @returns {Fault} */
function set(kind, keys, value) {
  return {
    kind,
    slot: keys.join(' '),
    path: keys.map((key) => `/${token(String(key))}`).join(''),
    break(order) {
      const last = keys[keys.length - 1];
      const parent = keys.slice(0, -1).reduce((at, key) => at[key], order);
      if (value === undefined) delete parent[last];
      else parent[last] = value;
    },
  };
}

/** @param {Rng} rng @param {unknown[]} list @returns {number} not the first: some readers look at that one only */
function later(rng, list) {
  return rng.int(1, list.length - 1);
}

/** @param {Fault} fault @param {Order} order @returns {Order} a broken copy */
export function broken(fault, order) {
  return brokenBy([fault], order);
}

/** @param {Fault[]} faults @param {Order} order @returns {Order} */
export function brokenBy(faults, order) {
  const copy = structuredClone(order);
  for (const fault of faults) fault.break(copy);
  return copy;
}

/** @param {Rng} rng @param {Required<Order>} order @returns {Fault[]} */
export function boundsFaults(rng, order) {
  const line = later(rng, order.lines);
  const label = rng.pick(Object.keys(order.labels));
  const crowd = Object.fromEntries(times(9, (at) => [`${rng.word(4)}${at}`, rng.word(5)]));
  /** @param {(string | number)[]} keys @param {unknown[]} values */
  const each = (keys, values) => values.map((value) => set('bounds', keys, value));
  return [
    ...each(['lines', line, 'quantity'], [0, -rng.int(1, 50), 1000, rng.int(1001, 90_000), rng.int(2, 90) + 0.5]),
    ...each(['lines', line, 'unitPrice'], [-0.01, -rng.int(1, 900), 100_000, rng.int(100_001, 900_000), Infinity]),
    ...each(['lines'], [[], times(21, () => fullLine(rng)), times(rng.int(22, 40), () => fullLine(rng))]),
    ...each(['note'], [rng.word(201), '🙂'.repeat(201)]),
    ...each(['labels'], [crowd]),
    ...each(['labels', label], ['', rng.word(41)]),
  ];
}

/** @param {Rng} rng @param {Required<Order>} order @returns {Fault[]} */
export function formatFaults(rng, order) {
  const line = later(rng, order.lines);
  const [name, day] = [rng.word(6), date(rng)];
  const id = rng.uuid();
  /** @param {(string | number)[]} keys @param {unknown[]} values */
  const each = (keys, values) => values.map((value) => set('formats', keys, value));
  return [
    ...each(['id'], ['', id.replaceAll('-', ''), `{${id}}`, id.slice(0, -1), `${id}0`, `g${id.slice(1)}`]),
    ...each(['email'], ['', name, `${name}@`, `@${name}.example`, `${name} x@${name}.example`, `${name}@${name}@${name}.example`]),
    ...each(['placedOn'], ['', `${rng.int(1990, 2040)}-13-01`, `${rng.int(1990, 2040)}-02-30`, '2023-02-29', day.replaceAll('-', ''),
      `${day}T10:00:00Z`, ` ${day}`, day.split('-').reverse().join('-')]),
    ...each(['priority'], ['', 'urgent', 'High', ' low']),
    ...each(['lines', line, 'sku'], ['', sku(rng).toLowerCase(), `${sku(rng)}0`, `X${sku(rng)}`, ` ${sku(rng)}`, `${sku(rng)}\n`,
      sku(rng).replace('-', '')]),
  ];
}

/** @param {Rng} rng @param {Required<Order>} order @returns {Fault[]} faults inside the lists of lists */
export function nestedFaults(rng, order) {
  const line = later(rng, order.lines);
  const lists = order.lines[line].serials ?? [];
  const list = later(rng, lists);
  const at = later(rng, lists[list]);
  const path = ['lines', line, 'serials'];
  /** @param {number} count @param {number} length */
  const filled = (count, length) => times(count, () => times(length, () => rng.word(10)));
  return [
    set('nested', path, filled(6, 2)),
    set('nested', [...path, list], []),
    set('nested', [...path, 0, 0], rng.word(13)),
    set('nested', [...path, list], filled(1, 11)[0]),
    set('nested', [...path, list], rng.word(10)),
    ...[rng.word(7), rng.word(13), '', rng.int(10_000_000, 99_999_999), [rng.word(10)], null]
      .map((value) => set('nested', [...path, list, at], value)),
  ];
}

/** @param {Rng} rng @param {Required<Order>} order @returns {Fault[]} */
export function missingFaults(rng, order) {
  const line = later(rng, order.lines);
  return [
    ...['id', 'email', 'placedOn', 'priority', 'lines'].map((key) => set('missing', [key], undefined)),
    ...['sku', 'quantity', 'unitPrice'].map((key) => set('missing', ['lines', line, key], undefined)),
  ];
}

/** @param {Rng} rng @param {Required<Order>} order @returns {Fault[]} */
export function unknownFaults(rng, order) {
  const line = later(rng, order.lines);
  const names = [rng.word(7), `${rng.word(3)}/${rng.word(3)}`, `${rng.word(3)}~${rng.word(3)}`, 'Id', 'discount', 'toString'];
  return names.flatMap((name) => [set('unknown', [name], rng.word(5)), set('unknown', ['lines', line, name], rng.int(1, 9))]);
}

/** @param {Rng} rng @param {Required<Order>} order @returns {Fault[]} values that a converting reader would take */
export function typeFaults(rng, order) {
  const line = later(rng, order.lines);
  const label = rng.pick(Object.keys(order.labels));
  const count = rng.int(2, 90);
  /** @param {(string | number)[]} keys @param {unknown[]} values */
  const each = (keys, values) => values.map((value) => set('types', keys, value));
  return [
    ...each(['lines', line, 'quantity'], [String(count), ` ${count} `, true, null, [count], BigInt(count), NaN, { value: count }]),
    ...each(['lines', line, 'unitPrice'], [String(count), `${count}.5`, null, false, NaN]),
    ...each(['lines', line, 'sku'], [null, count, [sku(rng)]]),
    ...each(['lines', line, 'serials'], [null, rng.word(10), {}]),
    ...each(['lines', line], [null, JSON.stringify(fullLine(rng)), [fullLine(rng)]]),
    ...each(['lines'], [null, fullLine(rng), { 0: fullLine(rng) }, JSON.stringify([fullLine(rng)])]),
    ...each(['id'], [null, count]),
    ...each(['email'], [null, [rng.email()]]),
    ...each(['placedOn'], [null, Date.parse(date(rng)), new Date(date(rng))]),
    ...each(['priority'], [null, 1, ['low']]),
    ...each(['note'], [null, count, false, [rng.word(5)]]),
    ...each(['labels'], [null, [], rng.word(5)]),
    ...each(['labels', label], [null, count, true, [rng.word(5)]]),
  ];
}

/** @type {Record<string, (rng: Rng, order: Required<Order>) => Fault[]>} */
export const KINDS = {
  bounds: boundsFaults,
  formats: formatFaults,
  nested: nestedFaults,
  missing: missingFaults,
  unknown: unknownFaults,
  types: typeFaults,
};
