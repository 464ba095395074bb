// Arguments that cannot travel as data, for "never throws" inputs.

/** @type {Record<string, (...details: any[]) => unknown>} */
const makers = {
  cyclic: () => {
    /** @type {Record<string, unknown>} */
    const value = { name: 'cyclic' };
    value.self = value;
    return value;
  },
  'throwing-getter': () => Object.defineProperty({}, 'value', {
    enumerable: true,
    get() {
      throw new Error('getter');
    },
  }),
  'revoked-proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  function: () => () => undefined,
  symbol: () => Symbol('value'),
  'class-instance': () => new (class Sample {
    value = 1;
  })(),
  // A caller that goes on working with its object: the changes come as soon as the call has returned.
  changing: (value, changes) => {
    queueMicrotask(() => changes.forEach((/** @type {[string[], unknown]} */ [path, item]) => put(value, path, item)));
    return value;
  },
  // Each read of one field gives the next of the items; the last one stays.
  drifting: (value, key, items) => {
    let reads = 0;
    return Object.defineProperty(Object(value), key, {
      enumerable: true,
      get() {
        reads += 1;
        return items[Math.min(reads, items.length) - 1];
      },
    });
  },
};

/** @param {unknown} value @param {string[]} path @param {unknown} item */
function put(value, path, item) {
  const keys = path.slice(0, -1);
  Reflect.set(Object(keys.reduce((at, key) => Reflect.get(Object(at), key), value)), path[path.length - 1], item);
}

/** @param {string} kind @param {unknown[]} details @returns {unknown} */
export function hostile(kind, details) {
  return makers[kind](...details);
}
