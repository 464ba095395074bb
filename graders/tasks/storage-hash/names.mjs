// Text from outside in the place of addresses and namespaces.
import { isError } from '../../verifier/api.mjs';
import { addressOf, Backend, content, namespace, open } from './backend.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */
/** @typedef {import('../../types').CallResult} CallResult */

/** @param {Rng} rng @param {string} address @param {string} space @returns {string[]} */
function badAddresses(rng, address, space) {
  const digits = address.slice('sha256-'.length);
  return [
    '', digits, `${space}/${address}`, `../${space}/${address}`, `/${address}`, ` ${address}`, `${address}\n`, `${address}/`,
    address.toUpperCase(), `sha256-${digits.toUpperCase()}`, `SHA256-${digits}`, address.slice(0, -1), `${address}0`, `sha512-${digits}`,
    `sha256-${digits.slice(1)}g`, `sha256-${'../'.repeat(21)}a`, address.replace('-', ':'), '__proto__', rng.text(12), rng.word(8),
  ];
}

/** @param {Rng} rng @returns {Scenario} */
export function addresses(rng) {
  const space = namespace(rng);
  const bytes = content(rng);
  const bad = rng.shuffle(badAddresses(rng, addressOf(bytes), `${space}x`));
  const refused = (/** @type {CallResult} */ { error }) => isError(error, { code: 'invalid-hash' });
  return {
    name: 'addresses',
    judge: {
      'text-never-key': ({ facts }) => facts.every((/** @type {{ sound: boolean }} */ { sound }) => sound),
      'bad-address-refused': ({ facts }) => facts.length === 3 * bad.length
        && facts.every((/** @type {{ sound: boolean, result: CallResult }} */ { sound, result }) => !sound || refused(result)),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s), space);
      for (const held of [space, `${space}x`]) backend.hold(held, bytes);
      const facts = [];
      for (const address of bad) {
        for (const method of ['load', 'has', 'remove']) {
          const from = backend.calls.length;
          const result = await s.invoke(store, method, address);
          facts.push({ result, sound: backend.keysSound(from) });
        }
      }
      return facts;
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function namespaces(rng) {
  const word = rng.word(6);
  const bad = rng.shuffle([
    '', `-${word}`, word.toUpperCase(), `${word}/${word}`, `../${word}`, '..', '.', `${word} `, `${word}\n`, `${word}_${word}`,
    'ü', 'a'.repeat(65), `${word}.${word}`, `${word}\0`, '__proto__',
  ]);
  return {
    name: 'namespaces',
    judge: {
      'bad-namespace-refused': ({ facts: { results, used } }) => results.length === bad.length && used === 0
        && results.every((/** @type {CallResult} */ { error }) => isError(error, { code: 'invalid-namespace' })),
    },
    async drive(s) {
      const backend = new Backend();
      const handles = backend.handles(s);
      const results = await Promise.all(bad.map((space) => s.call('createDocumentStore', handles, space)));
      return { results, used: backend.calls.length };
    },
  };
}
