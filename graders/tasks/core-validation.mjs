// Behaviour of a parser of untrusted orders. Single faults are judged by kind; paths and completeness are judged only on
// what a submission refuses at all, so that one rule left out does not pull the other assertions down.
import { get, same } from '../verifier/api.mjs';
import { broken, brokenBy, KINDS } from './core-validation/faults.mjs';
import { bareOrder, fullOrder, ordersAtLimits, times } from './core-validation/orders.mjs';
import { accepted, callAll, observeAll, refusal, unchanged } from './core-validation/results.mjs';
import { dangerous, own, strange } from './core-validation/strange.mjs';

/** @typedef {import('../types').Rng} Rng @typedef {import('../types').Scenario} Scenario */
/** @typedef {import('../types').CallResult} CallResult */
/** @typedef {import('./core-validation/faults.mjs').Fault} Fault */

/** @type {import('../types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    'valid-accepted': 'A valid order must be accepted, with a value equal to the input.',
    'limits-accepted': 'A value exactly at a limit is valid and must be accepted.',
    'bounds-refused': 'A number, text or list outside its limits was not refused.',
    'formats-refused': 'A value that does not have its format was not refused.',
    'nested-refused': 'A fault inside the lists of serials was not refused.',
    'missing-refused': 'An order or a line without a required key was not refused.',
    'unknown-keys-refused': 'A key that is not part of an order or of a line was not refused.',
    'no-coercion': 'A value of the wrong type was not refused: it must not be converted.',
    'dangerous-keys-refused': 'An own key that can reach a prototype was not refused.',
    'input-unchanged': 'The input was changed.',
    'issue-paths': 'An issue must name the part at fault by its JSON Pointer, as the package gives it.',
    'all-issues': 'Every fault of the input must be reported, not only some of them.',
    'never-throws': 'Input that is strange or cannot be read must be refused with an issue; nothing may be thrown.',
    'text-parsed': 'JSON text must be judged like the value it holds; text that is not JSON gives one issue.',
    'messages-private': 'A message must not repeat values or text of the input.',
  },
  safety: [
    'bounds-refused', 'formats-refused', 'nested-refused', 'missing-refused', 'unknown-keys-refused', 'no-coercion',
    'dangerous-keys-refused', 'input-unchanged',
  ],
  scenarios(rng) {
    return [valid, limits, single, several, dangerous, strange, text, secrets].map((make) => make(rng.fork(make.name)));
  },
};

/** @param {Rng} rng @returns {Scenario} */
function valid(rng) {
  const good = [fullOrder(rng), bareOrder(rng), fullOrder(rng), { ...bareOrder(rng), labels: {} }, bareOrder(rng)];
  const polluted = { ...bareOrder(rng), ...own('__proto__', { note: rng.word(4) }), labels: own('constructor', rng.word(4)) };
  const inputs = [...good, polluted];
  return {
    name: 'valid',
    judge: {
      'valid-accepted': ({ facts }) => good.every((order, at) => accepted(facts[at], order)),
      'input-unchanged': ({ facts }) => unchanged(facts, inputs),
    },
    drive: (s) => observeAll(s, inputs),
  };
}

/** @param {Rng} rng @returns {Scenario} */
function limits(rng) {
  const orders = ordersAtLimits(rng);
  return {
    name: 'limits',
    judge: { 'limits-accepted': ({ facts }) => orders.every((order, at) => accepted(facts[at], order)) },
    drive: (s) => callAll(s, 'parseOrder', orders),
  };
}

const ID_OF_KIND = {
  bounds: 'bounds-refused', formats: 'formats-refused', nested: 'nested-refused', missing: 'missing-refused',
  unknown: 'unknown-keys-refused', types: 'no-coercion',
};

/** @param {Rng} rng @returns {Scenario} one fault at a time, each in the same order, so that an answer kept by id is wrong */
function single(rng) {
  const order = fullOrder(rng);
  const faults = rng.shuffle(Object.values(KINDS).flatMap((make) => make(rng, order)));
  // A whole order as text is a value of the wrong type, too.
  const inputs = [order, ...faults.map((fault) => broken(fault, order)), JSON.stringify(order)];
  const kinds = ['', ...faults.map(({ kind }) => kind), 'types'];
  const paths = ['', ...faults.map(({ path }) => path), ''];
  /** @type {import('../types').Judges} */
  const judge = {
    'input-unchanged': ({ facts }) => unchanged(facts, inputs),
    'issue-paths': ({ facts }) => {
      const found = /** @type {CallResult[]} */ (facts).map(refusal);
      return found.filter((issues) => issues !== null).length > inputs.length / 2
        && found.every((issues, at) => issues === null || issues.every((path) => path === paths[at]));
    },
  };
  for (const [kind, id] of Object.entries(ID_OF_KIND)) {
    judge[id] = ({ facts }) => kinds.every((other, at) => other !== kind || refusal(facts[at]) !== null);
  }
  return { name: 'single', judge, drive: (s) => observeAll(s, inputs) };
}

/**
 * Faults in parts that do not overlap.
 * @param {Rng} rng @param {Required<import('./core-validation/orders.mjs').Order>} order @returns {Fault[]}
 */
function apart(rng, order) {
  const all = Object.values(KINDS).flatMap((make) => rng.shuffle(make(rng, order)));
  /** @type {Fault[]} */
  const chosen = [];
  /** @param {Fault} a @param {Fault} b */
  const within = (a, b) => `${a.slot} `.startsWith(`${b.slot} `);
  for (const fault of rng.shuffle(all)) {
    if (!chosen.some((other) => within(fault, other) || within(other, fault))) chosen.push(fault);
  }
  return chosen.slice(0, rng.int(5, 8));
}

/** @param {Rng} rng @returns {Scenario} what is reported alone must be reported in company, too */
function several(rng) {
  const rounds = times(4, () => {
    const order = fullOrder(rng);
    const faults = apart(rng, order);
    return { order, alone: faults.map((fault) => broken(fault, order)), together: brokenBy(faults, order) };
  });
  /** @param {CallResult[]} alone @param {CallResult} together */
  const complete = (alone, together) => {
    const expected = alone.map(refusal).filter((paths) => paths !== null);
    const reported = refusal(together) ?? [];
    return expected.length >= 2 && expected.flat().every((path) => reported.includes(path));
  };
  return {
    name: 'several',
    judge: { 'all-issues': ({ facts }) => rounds.every((_, at) => complete(facts[at].alone, facts[at].together)) },
    drive: (s) => Promise.all(rounds.map(async ({ order, alone, together }) => {
      // The sound order first: an answer that is kept by its id is then wrong for all that follow.
      const [, ...results] = await callAll(s, 'parseOrder', [order, ...alone, together]);
      return { alone: results.slice(0, -1), together: results.at(-1) };
    })),
  };
}

/** @param {Rng} rng @returns {Scenario} */
function text(rng) {
  const full = fullOrder(rng);
  const good = [full, bareOrder(rng)];
  const written = JSON.stringify(full);
  const malformed = [
    '', ' ', '{', 'undefined', 'NaN', "{'id': 1}", `${written},`, written.slice(0, -1), written.replace('{', '{,'), rng.word(9),
  ];
  const faulty = rng.shuffle(Object.values(KINDS).flatMap((make) => make(rng, full)))
    .map((fault) => broken(fault, full)).filter((order) => same(order, JSON.parse(safeJson(order)))).slice(0, 40);
  /** @param {CallResult} result */
  const notJson = (result) => same(refusal(result), ['']) && get(result, 'value', 'issues', 0, 'keyword') === 'json';
  return {
    name: 'text',
    judge: {
      'text-parsed': ({ facts }) => facts.good.every((/** @type {CallResult} */ { via }) => via === 'return')
        && good.every((_, at) => same(facts.good[at].value, facts.goodAsValue[at].value))
        && facts.malformed.length === malformed.length && facts.malformed.every(notJson)
        && faulty.every((_, at) => same(refusal(facts.asText[at]), refusal(facts.asValue[at]))),
    },
    drive: async (s) => ({
      good: await callAll(s, 'parseOrderText', good.map((order) => JSON.stringify(order, null, rng.int(0, 2)))),
      goodAsValue: await callAll(s, 'parseOrder', good),
      malformed: await callAll(s, 'parseOrderText', malformed),
      asText: await callAll(s, 'parseOrderText', faulty.map((order) => JSON.stringify(order))),
      asValue: await callAll(s, 'parseOrder', faulty),
    }),
  };
}

/** @param {unknown} value @returns {string} JSON text, `null` for what JSON cannot hold */
function safeJson(value) {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? null : item));
}

/** @param {CallResult} result @returns {unknown[]} */
function messagesOf(result) {
  return get(result, 'value', 'issues').map((/** @type {unknown} */ issue) => get(issue, 'message'));
}

/** @param {Rng} rng @returns {Scenario} every wrong value is a word that no message may hold */
function secrets(rng) {
  const order = fullOrder(rng);
  const secret = rng.word(14);
  const inputs = [
    ...['id', 'email', 'placedOn', 'priority', 'lines', 'labels'].map((key) => ({ ...order, [key]: secret })),
    ...['sku', 'quantity', 'unitPrice', 'serials'].map((key) => ({ ...order, lines: [{ ...order.lines[0], [key]: secret }] })),
    { ...order, lines: [{ ...order.lines[0], serials: [[secret]] }] },
    { ...order, note: secret.repeat(20) },
    { ...order, [rng.word(6)]: secret },
    secret,
  ];
  const texts = [secret, `"${secret}`, `{"id": ${secret}}`, `["${secret}",]`];
  return {
    name: 'secrets',
    judge: {
      'messages-private': ({ facts }) => {
        const refused = /** @type {CallResult[]} */ (facts).filter((result) => refusal(result) !== null);
        const messages = refused.flatMap(messagesOf);
        return refused.length > facts.length / 2
          && messages.every((message) => typeof message === 'string' && message !== '' && !message.includes(secret));
      },
    },
    drive: async (s) => [...await callAll(s, 'parseOrder', inputs), ...await callAll(s, 'parseOrderText', texts)],
  };
}
