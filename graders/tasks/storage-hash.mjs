// Behaviour of a content-addressed document store. Addresses are computed here and documents are put into the adapter
// directly, so that a fault of `save` does not pull down what is said of `load`, and the other way round.
import { isError, same } from '../verifier/api.mjs';
import { addressOf, Backend, content, namespace, open } from './storage-hash/backend.mjs';
import { addresses, namespaces } from './storage-hash/names.mjs';
import { failing, foreign, relayed, reused } from './storage-hash/trouble.mjs';

/** @typedef {import('../types').Rng} Rng @typedef {import('../types').Scenario} Scenario */
/** @typedef {import('../types').CallResult} CallResult */

/** @type {import('../types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    'address-and-key': 'A save must resolve to the content hash and write under the namespace and that hash, and nowhere else.',
    'exact-bytes': 'A document must be stored and loaded byte for byte, whatever its bytes are.',
    'content-as-called': 'A save must store the content as it was at the call, whatever the caller does with its buffer afterwards.',
    'saved-once': 'A document that the adapter already holds must not be written again.',
    'concurrent-same': 'Saves of the same content at the same time must write once and all resolve to its address.',
    'concurrent-different': 'Saves of different contents at the same time must all be stored.',
    'absent-undefined': 'Loading what is not there must resolve to undefined.',
    'presence-and-removal': 'has must tell what the adapter holds, and remove must remove exactly that, or nothing.',
    'corrupt-withheld': 'Bytes that do not belong to the address were handed out.',
    'corrupt-reported': 'Loading corrupt bytes must reject with the code of corruption.',
    'no-overwrite': 'What was stored has been replaced by other bytes or removed without being asked.',
    'save-finds-corruption': 'A save that finds other bytes at its address must reject with the code of corruption.',
    'text-never-key': 'Text from outside was used as a key of the adapter.',
    'bad-address-refused': 'Text that is no content address must be rejected with the code for it, and not be repaired.',
    'bad-namespace-refused': 'A namespace that the package does not allow must be refused at once, without use of the adapter.',
    'stores-apart': 'Stores of other namespaces or other adapters must not get in each other\'s way.',
    'adapter-errors': 'What the adapter rejects with must be passed on as it is.',
    'failed-save-retried': 'After a save that failed, the next save of the same content must try again.',
    'nothing-cached': 'Each call must go by what the adapter holds at that time, not by what earlier calls saw.',
  },
  safety: ['corrupt-withheld', 'no-overwrite', 'text-never-key'],
  scenarios(rng) {
    const makers = [round, presence, concurrent, corrupt, occupied, addresses, namespaces, apart, failing, foreign, reused, relayed];
    return makers.map((make) => make(rng.fork(make.name)));
  },
};

/** @param {Rng} rng @returns {Uint8Array[]} bytes that a careless reader changes */
function documents(rng) {
  return rng.shuffle([
    new Uint8Array(0),
    Uint8Array.of(rng.int(0, 255)),
    Uint8Array.from({ length: 256 }, (_, at) => at),
    Uint8Array.from([0xef, 0xbb, 0xbf, ...Buffer.from(` ${rng.text(40)}\r\n`)]),
    Uint8Array.from([...rng.bytes(rng.int(4, 40)), 0xff, 0xfe, 0xc0, 0, 0]),
    rng.bytes(rng.int(5000, 20_000)),
  ]);
}

/** @param {Rng} rng @returns {Scenario} */
function round(rng) {
  const [saved, held, again] = [documents(rng), documents(rng), content(rng)];
  const [space, other] = [namespace(rng), `${namespace(rng)}x`];
  const known = rng.pick(held);
  return {
    name: 'round',
    judge: {
      'address-and-key': ({ facts: { saves, afterSaves } }) => saved.every((bytes, at) => saves[at].ok && saves[at].value === addressOf(bytes))
        && same(afterSaves.keys.toSorted(), saved.map((bytes) => `${space}/${addressOf(bytes)}`).toSorted()),
      'exact-bytes': ({ facts: { loads, afterSaves } }) => saved.every((bytes) => includes(afterSaves.bytes, bytes))
        && held.every((bytes, at) => loads[at].ok && same(loads[at].value, bytes)),
      'saved-once': ({ facts: { first, second, third, puts } }) => [first, second, third].every(({ ok }) => ok) && puts === 1,
    },
    async drive(s) {
      const backend = new Backend();
      const handles = backend.handles(s);
      const [writing, reading] = [await open(s, handles, space), await open(s, handles, other)];
      const saves = [];
      for (const bytes of saved) saves.push(await s.invoke(writing, 'save', bytes));
      const puts = backend.made('put');
      const afterSaves = { keys: puts.map(({ key }) => key), bytes: puts.map(({ bytes }) => bytes) };
      for (const bytes of held) backend.hold(other, bytes);
      const loads = await Promise.all(held.map((bytes) => s.invoke(reading, 'load', addressOf(bytes))));
      const third = await s.invoke(reading, 'save', known);
      const first = await s.invoke(writing, 'save', again);
      const second = await s.invoke(writing, 'save', again);
      return { saves, afterSaves, loads, first, second, third, puts: backend.made('put').length - puts.length };
    },
  };
}

/** @param {unknown[]} list @param {unknown} value */
function includes(list, value) {
  return list.some((item) => same(item, value));
}

/** @param {Rng} rng @returns {Scenario} */
function presence(rng) {
  const [kept, removed, absent] = [content(rng), content(rng), content(rng)];
  const space = namespace(rng);
  return {
    name: 'presence',
    judge: {
      'absent-undefined': ({ facts: { load } }) => load.ok && load.value === undefined,
      'presence-and-removal': ({ facts: { before, removals, after, backend } }) => same(values(before), [true, true, false])
        && values(removals).every((value) => value !== null) && same(values(after), [true, false, false])
        && same(backend.at(space, kept), kept) && backend.at(space, removed) === undefined && backend.made('put').length === 0,
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s), space);
      for (const bytes of [kept, removed]) backend.hold(space, bytes);
      const ask = () => Promise.all([kept, removed, absent].map((bytes) => s.invoke(store, 'has', addressOf(bytes))));
      const load = await s.invoke(store, 'load', addressOf(absent));
      const before = await ask();
      const removals = [await s.invoke(store, 'remove', addressOf(removed)), await s.invoke(store, 'remove', addressOf(absent))];
      return { load, before, removals, after: await ask(), backend };
    },
  };
}

/** @param {CallResult[]} results @returns {unknown[]} null for what was rejected */
function values(results) {
  return results.map((result) => (result.ok ? result.value : null));
}

/** @param {Rng} rng @returns {Scenario} */
function concurrent(rng) {
  const [alike, several] = [content(rng), Array.from({ length: 6 }, () => content(rng))];
  const [space, delay, count] = [namespace(rng), rng.int(25, 50), rng.int(4, 8)];
  return {
    name: 'concurrent',
    judge: {
      'concurrent-same': ({ facts: { saves, backend, writes } }) => new Set(values(saves)).size === 1 && saves[0].ok === true
        && writes === 1 && same(backend.at(space, alike), alike),
      'concurrent-different': ({ facts: { others, backend } }) => others.every((/** @type {CallResult} */ { ok }) => ok)
        && new Set(values(others)).size === several.length && several.every((bytes) => same(backend.at(space, bytes), bytes)),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s, delay), space);
      const saves = await Promise.all(Array.from({ length: count }, () => s.invoke(store, 'save', alike)));
      const writes = backend.made('put').length;
      const others = await Promise.all(several.map((bytes) => s.invoke(store, 'save', bytes)));
      return { saves, writes, others, backend };
    },
  };
}

/** @param {Rng} rng @param {Uint8Array} bytes @returns {Uint8Array[]} other bytes in their place */
function damages(rng, bytes) {
  const at = rng.int(0, bytes.length - 1);
  return [
    bytes.map((byte, index) => (index === at ? byte ^ (1 << rng.int(0, 7)) : byte)),
    bytes.slice(0, -1),
    Uint8Array.from([...bytes, 0]),
    new Uint8Array(0),
    content(rng),
    bytes.toReversed(),
  ];
}

/** @param {Rng} rng @returns {Scenario} corrupt from the start, and corrupt after a good read */
function corrupt(rng) {
  const space = namespace(rng);
  const [early, late] = [content(rng), content(rng)];
  const entries = rng.shuffle([early, late].flatMap((bytes) => damages(rng, bytes).map((held) => ({ bytes, held }))));
  /** @param {CallResult} result */
  const gaveBytes = (result) => result.ok && result.value !== undefined;
  return {
    name: 'corrupt',
    judge: {
      'corrupt-withheld': ({ facts: { loads } }) => entries.every(({ bytes }, at) => !gaveBytes(loads[at]) || same(loads[at].value, bytes)),
      'corrupt-reported': ({ facts: { loads } }) => entries.every((_, at) => gaveBytes(loads[at]) || isError(loads[at].error, { code: 'storage-corrupt' })),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s), space);
      backend.hold(space, late);
      await s.invoke(store, 'load', addressOf(late));
      const loads = [];
      for (const { bytes, held } of entries) {
        backend.hold(space, bytes, held);
        loads.push(await s.invoke(store, 'load', addressOf(bytes)));
      }
      return { loads };
    },
  };
}

/** @param {Rng} rng @returns {Scenario} a save where other bytes already stand at its address */
function occupied(rng) {
  const space = namespace(rng);
  const wanted = Array.from({ length: 4 }, () => content(rng));
  const entries = wanted.map((bytes) => ({ bytes, held: rng.pick(damages(rng, bytes)) }));
  // The first once more: a submission must not think better of it.
  const order = [...entries, entries[0]];
  const bystander = content(rng);
  return {
    name: 'occupied',
    judge: {
      'no-overwrite': ({ facts: { backend } }) => backend.calls.every((/** @type {{ damage: boolean }} */ { damage }) => !damage)
        && entries.every(({ bytes, held }) => same(backend.at(space, bytes), held)) && same(backend.at(space, bystander), bystander),
      'save-finds-corruption': ({ facts: { saves, backend } }) => order.every(({ bytes, held }, at) => isError(saves[at].error, { code: 'storage-corrupt' })
        || !same(backend.at(space, bytes), held)),
    },
    async drive(s) {
      const backend = new Backend();
      const store = await open(s, backend.handles(s), space);
      backend.hold(space, bystander);
      for (const { bytes, held } of entries) backend.hold(space, bytes, held);
      await Promise.all(entries.slice(2).map(({ bytes }) => s.invoke(store, 'load', addressOf(bytes))));
      const saves = [];
      for (const { bytes } of order) saves.push(await s.invoke(store, 'save', bytes));
      return { saves, backend };
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
function apart(rng) {
  const word = rng.word(6);
  const spaces = rng.shuffle([word, `${word}-1`]);
  const [alike, kept] = [content(rng), content(rng)];
  const delay = rng.int(25, 50);
  return {
    name: 'apart',
    judge: {
      'stores-apart': ({ facts: { saves, seen, shared, other } }) => saves.every((/** @type {CallResult} */ { ok }) => ok)
        && spaces.every((space) => same(shared.at(space, alike), alike)) && same(other.at(spaces[0], alike), alike)
        && seen[0].value === false && seen[2].value === true && !same(seen[1].value, kept) && same(shared.at(spaces[0], kept), kept),
    },
    async drive(s) {
      const [shared, other] = [new Backend(), new Backend()];
      const handles = shared.handles(s, delay);
      const first = await open(s, handles, spaces[0]);
      const second = await open(s, handles, spaces[1]);
      const third = await open(s, other.handles(s, delay), spaces[0]);
      const saves = await Promise.all([first, second, third].map((store) => s.invoke(store, 'save', alike)));
      shared.hold(spaces[0], kept);
      const seen = [await s.invoke(second, 'has', addressOf(kept)), await s.invoke(second, 'load', addressOf(kept))];
      await s.invoke(second, 'remove', addressOf(kept));
      seen.push(await s.invoke(first, 'has', addressOf(kept)));
      return { saves, seen, shared, other };
    },
  };
}
