// Valid orders of the task, drawn from the seed. Every value keeps away from its limits unless asked to touch one.

/** @typedef {import('../../types').Rng} Rng */
/** @typedef {{ sku: string, quantity: number, unitPrice: number, serials?: string[][] }} Line */
/**
 * @typedef {{
 *   id: string, email: string, placedOn: string, priority: string, lines: Line[],
 *   note?: string, labels?: Record<string, string>,
 * }} Order
 */

const CAPITALS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** @template T @param {number} length @param {(at: number) => T} make @returns {T[]} */
export function times(length, make) {
  return Array.from({ length }, (_, at) => make(at));
}

/** @param {number} value @param {number} digits */
function padded(value, digits) {
  return String(value).padStart(digits, '0');
}

/** @param {Rng} rng */
export function sku(rng) {
  return `${rng.pick(CAPITALS)}${rng.pick(CAPITALS)}-${padded(rng.int(0, 9999), 4)}`;
}

/** @param {Rng} rng */
export function date(rng) {
  return `${rng.int(1990, 2040)}-${padded(rng.int(1, 12), 2)}-${padded(rng.int(1, 28), 2)}`;
}

/** @param {Rng} rng @returns {string[][]} */
function serials(rng) {
  return times(rng.int(2, 3), () => times(rng.int(2, 5), () => rng.text(rng.int(9, 11))));
}

/** @param {Rng} rng @returns {Required<Line>} */
export function fullLine(rng) {
  return { sku: sku(rng), quantity: rng.int(2, 900), unitPrice: rng.int(1, 9_000_000) / 100, serials: serials(rng) };
}

/** @param {Rng} rng @returns {Line} */
export function bareLine(rng) {
  const { sku: code, quantity, unitPrice } = fullLine(rng);
  return { sku: code, quantity, unitPrice };
}

/** @param {Rng} rng @returns {Record<string, string>} keys hold what JSON Pointer must escape */
function labels(rng) {
  const key = (/** @type {number} */ at) => `${rng.word(3)}${at}${rng.pick(['', '/', '~', ' ', '~1', 'ü'])}${rng.word(2)}`;
  return Object.fromEntries(times(rng.int(2, 4), (at) => [key(at), rng.text(rng.int(2, 30))]));
}

/** @param {Rng} rng @returns {Required<Order>} every optional part is there; three to five lines, all with serials */
export function fullOrder(rng) {
  const [name, domain] = rng.email().split('@');
  return {
    id: rng.bool() ? rng.uuid() : rng.uuid().toUpperCase(),
    email: `${name.toUpperCase()}.${rng.word(4)}@${domain}`,
    placedOn: date(rng),
    priority: rng.pick(['low', 'normal', 'high']),
    lines: times(rng.int(3, 5), () => fullLine(rng)),
    note: ` ${rng.text(rng.int(5, 120))}\n`,
    labels: labels(rng),
  };
}

/** @param {Rng} rng @returns {Order} no optional part is there */
export function bareOrder(rng) {
  const { id, email, placedOn, priority } = fullOrder(rng);
  return { id, email, placedOn, priority, lines: times(rng.int(2, 4), () => bareLine(rng)) };
}

/** @param {Rng} rng @returns {Order[]} one order for each limit: valid, and exactly at it */
export function ordersAtLimits(rng) {
  /** @param {Partial<Order>} part */
  const order = (part) => ({ ...bareOrder(rng), id: rng.uuid(), email: rng.email(), ...part });
  /** @param {Partial<Line>} part */
  const withLine = (part) => order({ lines: [bareLine(rng), { ...bareLine(rng), ...part }] });
  /** @param {number} length */
  const emoji = (length) => '🙂'.repeat(length);
  /** @param {number} count */
  const manyLabels = (count) => Object.fromEntries(times(count, (at) => [`${rng.word(4)}${at}`, rng.word(5)]));
  /** @param {number} lists @param {number} length */
  const lists = (lists, length) => times(lists, () => times(length, () => rng.word(10)));
  return [
    order({}),
    ...[1, 20].map((count) => order({ lines: times(count, () => bareLine(rng)) })),
    ...['', rng.word(200), emoji(200)].map((note) => order({ note })),
    ...[0, 8].map((count) => order({ labels: manyLabels(count) })),
    ...[rng.word(1), rng.word(40), emoji(40)].map((text) => order({ labels: { [rng.word(5)]: text, '': rng.word(3) } })),
    ...[1, 999].map((quantity) => withLine({ quantity })),
    ...[0, 99_999.99].map((unitPrice) => withLine({ unitPrice })),
    withLine({ serials: [] }),
    withLine({ serials: lists(5, 1) }),
    withLine({ serials: lists(1, 10) }),
    ...[rng.word(8), rng.word(12), emoji(12)].map((serial) => withLine({ serials: [[rng.word(9)], [rng.word(9), serial]] })),
  ];
}
