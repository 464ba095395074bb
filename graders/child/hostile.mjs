// Arguments that cannot travel as data, for "never throws" inputs.

/** @type {Record<string, () => unknown>} */
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
};

/** @param {string} kind @returns {unknown} */
export function hostile(kind) {
  return makers[kind]();
}
