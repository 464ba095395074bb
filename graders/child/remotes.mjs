// What lives in the child and is only named on the wire: the submission's functions and instances going out,
// the parent's callbacks and signals coming in.
import { types } from 'node:util';
import { attempt, decode, encode, freshState, within } from './values.mjs';
import { hostile } from './hostile.mjs';

/** @typedef {import('./values.mjs').Wire} Wire */

const BUILT_IN = [Array.isArray, types.isDate, types.isMap, types.isSet, types.isNativeError, ArrayBuffer.isView, types.isAnyArrayBuffer];
const BUILT_IN_ERRORS = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'];

/** @param {object} value @returns {string[]} names of all methods, inherited ones included */
function methodsOf(value) {
  const names = new Set();
  for (let at = value; at && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const { value: member } = Object.getOwnPropertyDescriptor(at, name) ?? {};
      if (name !== 'constructor' && typeof member === 'function') names.add(name);
    }
  }
  return [...names].sort();
}

/** @param {object} value */
function isAlive(value) {
  if (value instanceof Error || BUILT_IN.some((test) => test(value))) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return true;
  return Object.keys(value).some((key) => typeof Reflect.get(value, key) === 'function');
}

/** @param {{ name: string, message: string, className: string, props: [string, unknown][] }} fields */
function makeError({ name, message, className, props }) {
  const known = BUILT_IN_ERRORS.includes(className) ? className : 'Error';
  const error = name === 'AbortError' ? new DOMException(message, name) : new (Reflect.get(globalThis, known))(message);
  if (error.name !== name) define(error, 'name', name, false);
  for (const [key, value] of props) define(error, key, value, true);
  return error;
}

/** Not assignment: an own `__proto__` key is data here, as JSON.parse makes it. @param {object} target @param {string} key @param {unknown} value @param {boolean} enumerable */
function define(target, key, value, enumerable) {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

/** @param {[string, unknown][]} pairs */
function makeRecord(pairs) {
  const record = {};
  for (const [key, value] of pairs) define(record, key, value, true);
  return record;
}

/** Both directions of naming. `ask` sends a callback and waits for its answer, `note` only reports it. */
export class Remotes {
  /** @type {Map<string, unknown>} */
  #byId = new Map();
  /** @type {Map<unknown, string>} */
  #ids = new Map();
  /** @type {Map<string, AbortController>} */
  #signals = new Map();

  /**
   * @param {(handle: string, args: Wire[]) => Promise<unknown>} ask
   * @param {(handle: string, args: Wire[]) => void} note
   */
  constructor(ask, note) {
    this.ask = ask;
    this.note = note;
  }

  /** @param {string} id */
  get(id) {
    return this.#byId.get(id);
  }

  /** @param {unknown} value @param {import('./values.mjs').State} [state] @returns {Wire} */
  encode(value, state = freshState()) {
    return encode(value, { special: (item, at) => this.#special(item, at) }, state);
  }

  /** @param {unknown} value @param {import('./values.mjs').State} state @returns {Wire | undefined} */
  #special(value, state) {
    if (typeof value === 'object') return isAlive(/** @type {object} */ (value)) ? this.keep(value, state) : undefined;
    return this.keep(value, state);
  }

  /** @param {unknown} value @param {import('./values.mjs').State} [state] @returns {Wire} a name for something that stays here */
  keep(value, state = freshState()) {
    const id = this.#ids.get(value) ?? `r${this.#ids.size + 1}`;
    this.#ids.set(value, id);
    this.#byId.set(id, value);
    if (typeof value !== 'object' || value === null) return ['r', id, typeof value, '', [], []];
    return ['r', id, 'object', String(value.constructor?.name ?? ''), this.#data(value, state), methodsOf(value)];
  }

  /** Readable properties; an instance inside an instance is only named, or a library's inner graph would be sent. @param {object} value @param {import('./values.mjs').State} state */
  #data(value, state) {
    if (state.named) return [];
    state.named = true;
    const data = [];
    for (const key of Object.keys(value)) {
      const item = Reflect.get(value, key);
      const wire = typeof item === 'function' ? undefined : attempt(() => within(value, state, () => this.encode(item, state)));
      if (wire !== undefined) data.push([key, wire]);
    }
    state.named = false;
    return data;
  }

  /** @param {Wire} wire @returns {unknown} */
  decode(wire) {
    return decode(wire, {
      record: makeRecord,
      error: makeError,
      special: (tag, rest, inner) => this.#received(tag, rest, inner),
    });
  }

  /** @param {string} tag @param {unknown[]} rest @param {(wire: Wire) => unknown} inner */
  #received(tag, [name, ...details], inner) {
    const handle = String(name);
    if (tag === 'r') return this.#byId.get(handle);
    if (tag === 'x') return hostile(handle, details.map(inner));
    if (tag === 'g') return this.#signal(handle);
    if (tag === 'y') return this.#canned(handle, /** @type {[boolean, Wire][]} */ (details[0]), inner);
    return (/** @type {unknown[]} */ ...args) => this.ask(handle, args.map((item) => this.encode(item)));
  }

  /** @param {string} handle */
  #signal(handle) {
    const controller = this.#signals.get(handle) ?? new AbortController();
    this.#signals.set(handle, controller);
    return controller.signal;
  }

  /** @param {string} handle @param {[boolean, Wire][]} answers @param {(wire: Wire) => unknown} inner */
  #canned(handle, answers, inner) {
    let next = 0;
    return (/** @type {unknown[]} */ ...args) => {
      this.note(handle, args.map((item) => this.encode(item)));
      const [ok, wire] = answers[Math.min(next, answers.length - 1)];
      next += 1;
      if (!ok) throw inner(wire);
      return inner(wire);
    };
  }

  /** @param {string} handle @param {unknown} reason */
  abort(handle, reason) {
    this.#signals.get(handle)?.abort(reason);
  }

  /** @param {string} id @param {number} max */
  async drain(id, max) {
    const items = [];
    for await (const item of /** @type {AsyncIterable<unknown>} */ (this.#byId.get(id))) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}
