// Everything that a scenario can do, once: instances, returned objects, iterables, clocks, signals, failing dependencies.
import { get, isError, isRemote, same } from '../../../../graders/verifier/api.mjs';

/** @typedef {import('../../../../graders/types').Scenario} Scenario @typedef {import('../../../../graders/types').Rng} Rng */

/** @type {import('../../../../graders/types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    aborts: 'Nothing may be put after the signal was aborted.',
    'bytes-kept': 'Bytes must come back unchanged.',
    'clock-read': 'The age must be computed from the given clock.',
    'dependency-errors': 'An error of the dependency must be passed on with its code.',
    instances: 'A counter must count.',
    iterates: 'All events must be yielded in order.',
    'never-throws': 'Strange input must be answered, not thrown.',
    'not-mutated': 'The input must not be changed.',
    parallel: 'Two requests must run side by side.',
    'returned-object': 'The returned store must give back what was put.',
  },
  safety: ['aborts'],
  scenarios: (rng) => [values(rng.fork('values')), objects(rng.fork('objects')), dependencies(rng.fork('dependencies')), abort()],
};

/** @param {Rng} rng @returns {Scenario} */
function values(rng) {
  const bytes = rng.bytes(40);
  const list = Array.from({ length: 5 }, () => rng.int(0, 99));
  const [born, now] = [rng.int(0, 1000), rng.int(2000, 9000)];
  return {
    name: 'values',
    async drive(s) {
      const kinds = /** @type {const} */ (['cyclic', 'throwing-getter', 'revoked-proxy', 'function', 'symbol', 'class-instance']);
      return {
        bytes: await s.call('echo', bytes),
        sorted: await s.observe('sorted', list),
        age: await s.call('age', born, s.sync('now', [now, 0])),
        strange: await Promise.all(kinds.map((kind) => s.call('describe', s.hostile(kind)))),
        events: await s.iterate((await s.call('events', list)).value, 100),
      };
    },
    judge: {
      'bytes-kept': ({ facts }) => same(facts.bytes.value, bytes),
      'not-mutated': ({ facts }) => facts.sorted.ok && same(facts.sorted.argsAfter, [list]),
      'clock-read': ({ facts, log }) => facts.age.value === now - born && log.calls('now').length === 1,
      'never-throws': ({ facts }) => facts.strange.length === 6 && facts.strange.every((/** @type {any} */ result) => result.via === 'return'),
      iterates: ({ facts }) => same(facts.events.value, list.map((value, at) => ({ at, value }))),
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
function objects(rng) {
  const [key, text, start] = [rng.word(4), rng.text(9), rng.int(1, 50)];
  return {
    name: 'objects',
    async drive(s) {
      const counter = await s.construct('Counter', start);
      await s.invoke(counter.value, 'increment');
      const store = await s.call('makeStore');
      await s.invoke(store.value, 'put', key, text);
      const undo = await s.invoke(store.value, 'undo');
      const before = await s.invoke(store.value, 'get', key);
      await s.invoke(undo.value, null);
      return { counter, count: await s.invoke(counter.value, 'increment'), before, after: await s.invoke(store.value, 'get', key) };
    },
    judge: {
      instances: ({ facts }) => isRemote(facts.counter.value) && facts.counter.value.className === 'Counter' && facts.count.value === start + 2,
      'returned-object': ({ facts }) => facts.before.value === text && facts.after.value === undefined,
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
function dependencies(rng) {
  const code = rng.word(6);
  return {
    name: 'dependencies',
    async drive(s) {
      let [running, most] = [0, 0];
      const load = s.fn('load', async (id) => {
        if (id === 'broken') throw Object.assign(new TypeError('busy'), { code, details: { id } });
        running += 1;
        most = Math.max(most, running);
        await s.until(() => s.log.calls('load').length >= 2);
        running -= 1;
        return { id };
      });
      const both = await s.call('loadBoth', 'a', 'b', { load });
      return { both, most, broken: await s.call('loadBoth', 'broken', 'c', { load }) };
    },
    judge: {
      parallel: ({ facts }) => facts.most === 2 && same(facts.both.value, [{ id: 'a' }, { id: 'b' }]),
      'dependency-errors': ({ facts }) => isError(facts.broken.error, { name: 'TypeError', code }) && get(facts.broken.error, 'props', 'details', 'id') === 'broken',
    },
  };
}

/** @returns {Scenario} */
function abort() {
  return {
    name: 'abort',
    async drive(s) {
      const signal = s.signal();
      const put = s.fn('put', async () => undefined, { delay: 5 });
      const running = s.call('putAll', Array.from({ length: 50 }, (_, at) => at), { put, signal });
      await s.until(() => s.log.calls('put').length === 3);
      const aborted = s.abort(signal, new Error('enough'));
      return { aborted, result: await running };
    },
    judge: {
      aborts: ({ facts, log }) => facts.result.via === 'reject' && isError(facts.result.error, { message: /enough/ })
        && log.calls('put').length >= 3 && log.calls('put').every((put) => !log.sentAfter(put, facts.aborted)),
    },
  };
}
