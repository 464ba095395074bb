export const echo = (value) => value;
export const sorted = (list) => [...list].sort((a, b) => a - b);
export const age = (born, now) => now() - born;
export const describe = (value) => typeof value;

export async function* events(list) {
  for (const [at, value] of list.entries()) yield { at, value };
}

export class Counter {
  #count;

  constructor(start) {
    this.#count = start;
  }

  increment() {
    this.#count += 1;
    return this.#count;
  }
}

export function makeStore() {
  const items = new Map();
  return {
    put: (key, text) => void items.set(key, text),
    get: (key) => items.get(key),
    undo: () => () => items.clear(),
  };
}

export function loadBoth(first, second, { load }) {
  return Promise.all([load(first), load(second)]);
}

export async function putAll(items, { put, signal }) {
  for (const item of items) {
    signal.throwIfAborted();
    await put(item);
  }
}
