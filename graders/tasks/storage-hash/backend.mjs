// The adapter that the submission gets: it lives here, so the grader sees and decides all that happens in it.
import { createHash } from 'node:crypto';
import { isRemote, same } from '../../verifier/api.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Driver} Driver */
/** @typedef {import('../../types').Remote} Remote */
/** @typedef {'get' | 'put' | 'has' | 'delete'} Method */

const KEY = /^[a-z0-9][a-z0-9-]{0,63}\/sha256-[0-9a-f]{64}$/;

/** @param {Uint8Array} bytes */
export function addressOf(bytes) {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/** @param {Rng} rng @returns {string} a namespace that the package allows */
export function namespace(rng) {
  return `${rng.word(rng.int(1, 12))}${rng.pick(['', '-', `-${rng.int(0, 99)}`])}`;
}

/** @param {Rng} rng @returns {Uint8Array} never empty, and never the same twice */
export function content(rng) {
  return rng.bytes(rng.int(16, 200));
}

/** A key-value store in the parent. */
export class Backend {
  /** @type {Map<string, Uint8Array>} */
  entries = new Map();
  /** Every call in order. `damage`: it takes away or replaces what was there. */
  /** @type {{ method: Method, key: unknown, bytes?: unknown, damage: boolean }[]} */
  calls = [];
  /** @type {Partial<Record<Method, Error>>} what a method rejects with, while it is set */
  failing = {};

  /** @param {string} space @param {Uint8Array} bytes @param {Uint8Array} [held] other bytes than belong there */
  hold(space, bytes, held = bytes) {
    this.entries.set(`${space}/${addressOf(bytes)}`, held);
  }

  /** @param {string} space @param {Uint8Array} bytes the document whose entry is looked up */
  at(space, bytes) {
    return this.entries.get(`${space}/${addressOf(bytes)}`);
  }

  /** @param {Method} method */
  made(method) {
    return this.calls.filter((call) => call.method === method);
  }

  /** No key but a namespace and an address was used from this call on. @param {number} [from] */
  keysSound(from = 0) {
    return this.calls.slice(from).every(({ key }) => typeof key === 'string' && KEY.test(key));
  }

  /** Handles for the child. @param {Driver} s @param {number} [delay] of a put */
  handles(s, delay = 0) {
    /** @param {Method} method @param {(key: string, bytes?: any) => unknown} act */
    const handle = (method, act, wait = 0) => s.fn(method, (key, bytes) => {
      const held = this.entries.get(key);
      const damage = method === 'delete' || (method === 'put' && held !== undefined && !same(held, bytes));
      this.calls.push({ method, key, bytes, damage });
      const error = this.failing[method];
      if (error) throw error;
      return act(key, bytes);
    }, { delay: wait });
    return {
      get: handle('get', (key) => this.entries.get(key)),
      has: handle('has', (key) => this.entries.has(key)),
      put: handle('put', (key, bytes) => void this.entries.set(key, bytes), delay),
      delete: handle('delete', (key) => void this.entries.delete(key)),
    };
  }
}

/** @param {Driver} s @param {unknown} handles @param {string} space @returns {Promise<Remote>} */
export async function open(s, handles, space) {
  const made = await s.call('createDocumentStore', handles, space);
  const store = made.ok ? made.value : undefined;
  s.need(isRemote(store));
  return /** @type {Remote} */ (store);
}
