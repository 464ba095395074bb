// An adapter that fails, one that others use at the same time, and a caller that goes on with its buffer.
import { isError, same } from '../../verifier/api.mjs';
import { addressOf, Backend, content, namespace, open } from './backend.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario */
/** @typedef {import('../../types').CallResult} CallResult */

/** @param {Rng} rng @returns {Scenario} */
export function failing(rng) {
  const space = namespace(rng);
  const [held, fresh, retried] = [content(rng), content(rng), content(rng)];
  const code = `E_${rng.word(6).toUpperCase()}`;
  const message = rng.text(20);
  const down = Object.assign(new Error(message), { code });
  const refused = (/** @type {CallResult} */ { error }) => isError(error, { name: 'Error', code }) && error.message === message;
  return {
    name: 'failing',
    judge: {
      'adapter-errors': ({ facts: { results } }) => results.length === 6 && results.every(refused),
      'failed-save-retried': ({ facts: { again, backend } }) => again.ok === true && same(backend.at(space, retried), retried),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s), space);
      backend.hold(space, held);
      backend.failing = { put: down };
      const results = [await s.invoke(store, 'save', fresh)];
      await s.invoke(store, 'save', retried);
      backend.failing = {};
      const again = await s.invoke(store, 'save', retried);
      backend.failing = { get: down, has: down, put: down, delete: down };
      results.push(await s.invoke(store, 'save', held), await s.invoke(store, 'save', fresh));
      for (const method of ['load', 'has', 'remove']) results.push(await s.invoke(store, method, addressOf(held)));
      return { results, again, backend };
    },
  };
}

/** @param {Rng} rng @returns {Scenario} other programs put and remove between the calls */
export function foreign(rng) {
  const space = namespace(rng);
  const [taken, brought] = [content(rng), content(rng)];
  return {
    name: 'foreign',
    judge: {
      'nothing-cached': ({ facts: { gone, back, saved, backend } }) => !same(gone.load.value, taken) && gone.has.value === false
        && back.load.ok && same(back.load.value, brought) && back.has.value === true
        && saved.ok && same(backend.at(space, taken), taken),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s), space);
      const look = async (/** @type {Uint8Array} */ bytes) => ({
        load: await s.invoke(store, 'load', addressOf(bytes)),
        has: await s.invoke(store, 'has', addressOf(bytes)),
      });
      await s.invoke(store, 'save', taken);
      await look(taken);
      await look(brought);
      backend.entries.delete(`${space}/${addressOf(taken)}`);
      backend.hold(space, brought);
      const [gone, back] = [await look(taken), await look(brought)];
      return { gone, back, saved: await s.invoke(store, 'save', taken), backend };
    },
  };
}

/** @param {Rng} rng @returns {Scenario} the caller fills its buffer with something else right after the call */
export function reused(rng) {
  const space = namespace(rng);
  const documents = Array.from({ length: 3 }, () => content(rng));
  const delay = rng.int(0, 30);
  const changes = documents.map((bytes) => [0, rng.int(1, bytes.length - 1)].map((at) => [[String(at)], bytes[at] ^ rng.int(1, 255)]));
  return {
    name: 'reused',
    judge: {
      'content-as-called': ({ facts: { saves, backend } }) => documents
        .every((bytes, at) => saves[at].ok && same(backend.at(space, bytes), bytes)),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s, delay), space);
      const buffers = documents.map((bytes, at) => s.hostile('changing', bytes, changes[at]));
      const saves = [];
      for (const buffer of buffers) saves.push(await s.invoke(store, 'save', buffer));
      return { saves, backend };
    },
  };
}

/**
 * The first save fails while a second one of the same content waits for it, and a third begins once that one writes.
 * @param {Rng} rng @returns {Scenario}
 */
export function relayed(rng) {
  const [space, bytes, delay] = [namespace(rng), content(rng), rng.int(25, 50)];
  const down = new Error(rng.text(12));
  return {
    name: 'relayed',
    judge: {
      // One write that fails and one that does not. Whether a later save fails too is another fault.
      'concurrent-same': ({ facts: { backend } }) => backend.made('put').length <= 2,
    },
    async drive(s) {
      const backend = new Backend();
      let failures = 1;
      backend.failing = { get put() { return failures-- > 0 ? down : undefined; } };
      const store = await open(s, backend.handles(s, delay), space);
      const [first, second] = [s.invoke(store, 'save', bytes), s.invoke(store, 'save', bytes)];
      await first;
      const third = s.invoke(store, 'save', bytes);
      await Promise.all([second, third]);
      return { backend };
    },
  };
}
