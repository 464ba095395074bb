// Tagged values: what JSON cannot say (undefined, NaN, -0, bigint, Date, bytes, Map, Set, Error) as `[tag, ...]`.
// Each end adds its own tags through hooks: the parent for handles, the child for what stays alive in it.
import { Buffer } from 'node:buffer';
import { types } from 'node:util';

export const MAX_DEPTH = 24;
const MAX_ITEMS = 20_000;

/** A value that cannot be sent, or a received one that breaks the rules. */
export class ValueError extends Error {}

/**
 * @typedef {unknown} Wire
 * @typedef {[string, unknown][]} Pairs
 * @typedef {{ open: Set<object>, left: number, named: boolean }} State objects being encoded, items still allowed, inside a named one
 * @typedef {{ special(value: unknown, state: State): Wire | undefined }} EncodeHooks
 * @typedef {{
 *   record(pairs: Pairs): unknown,
 *   error(fields: { name: string, message: string, className: string, props: Pairs }): unknown,
 *   special(tag: string, rest: unknown[], decode: (wire: Wire) => unknown): unknown,
 * }} DecodeHooks
 */

/** @returns {State} */
export function freshState() {
  return { open: new Set(), left: MAX_ITEMS, named: false };
}

/**
 * @param {unknown} value
 * @param {EncodeHooks} hooks
 * @param {State} [state]
 * @returns {Wire}
 */
export function encode(value, hooks, state = freshState()) {
  state.left -= 1;
  if (state.left < 0) throw new ValueError('value has too many parts');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === undefined) return ['u'];
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'bigint') return ['i', String(value)];
  const special = hooks.special(value, state);
  if (special !== undefined) return special;
  if (typeof value !== 'object') throw new ValueError(`a ${typeof value} cannot be sent`);
  return within(value, state, () => encodeObject(value, (item) => encode(item, hooks, state)));
}

/** @template T @param {object} value @param {State} state @param {() => T} action @returns {T} refuses cycles and depth */
export function within(value, state, action) {
  if (state.open.has(value) || state.open.size >= MAX_DEPTH) throw new ValueError('value is cyclic or too deep');
  state.open.add(value);
  try {
    return action();
  } finally {
    state.open.delete(value);
  }
}

/** @param {number} value @returns {Wire} */
function encodeNumber(value) {
  if (Object.is(value, -0)) return ['n', '-0'];
  return Number.isFinite(value) ? value : ['n', String(value)];
}

/** @param {object} value @param {(item: unknown) => Wire} inner @returns {Wire} */
function encodeObject(value, inner) {
  if (Array.isArray(value)) return ['a', Array.from(value, (item) => inner(item))];
  if (types.isDate(value)) return ['d', inner(value.getTime())];
  if (types.isMap(value)) return ['m', Array.from(value, ([key, item]) => [inner(key), inner(item)])];
  if (types.isSet(value)) return ['s', Array.from(value, (item) => inner(item))];
  if (types.isNativeError(value) || value instanceof Error) return encodeError(value, inner);
  const bytes = asBytes(value);
  if (bytes) return ['b', bytes.toString('base64')];
  return ['o', Object.keys(value).map((key) => [key, inner(Reflect.get(value, key))])];
}

/** @param {object} value @returns {Buffer | null} */
function asBytes(value) {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : null;
}

/** @param {Error} error @param {(item: unknown) => Wire} inner @returns {Wire} */
function encodeError(error, inner) {
  const keys = Object.getOwnPropertyNames(error).filter((key) => !['stack', 'message', 'name'].includes(key));
  // A getter of the class; DOMException's numeric `code` says nothing that its name does not.
  if (typeof Reflect.get(error, 'code') === 'string' && !keys.includes('code')) keys.push('code');
  const props = [];
  for (const key of keys) {
    // A rich error of an honest library may hold cycles or live objects; what cannot be sent is left out.
    const wire = attempt(() => inner(Reflect.get(error, key)));
    if (wire !== undefined) props.push([key, wire]);
  }
  return ['e', String(error.name), String(error.message), String(error.constructor?.name ?? ''), props];
}

/** @template T @param {() => T} action @returns {T | undefined} undefined when the value cannot be sent */
export function attempt(action) {
  try {
    return action();
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

/**
 * @param {Wire} wire
 * @param {DecodeHooks} hooks
 * @param {number} [depth]
 * @returns {unknown}
 */
export function decode(wire, hooks, depth = 0) {
  if (depth > MAX_DEPTH + 1) throw new ValueError('value is too deep');
  if (wire === null || typeof wire === 'boolean' || typeof wire === 'string') return wire;
  if (typeof wire === 'number') return wire;
  if (!Array.isArray(wire) || typeof wire[0] !== 'string') throw new ValueError('value is not tagged');
  const [tag, ...rest] = wire;
  const inner = (/** @type {Wire} */ item) => decode(item, hooks, depth + 1);
  const decoder = Object.hasOwn(decoders, tag) ? decoders[tag] : undefined;
  return decoder ? decoder(rest, inner, hooks) : hooks.special(tag, rest, inner);
}

/** @type {Record<string, (rest: unknown[], inner: (wire: Wire) => unknown, hooks: DecodeHooks) => unknown>} */
const decoders = {
  u: () => undefined,
  n: ([text]) => {
    if (!['-0', 'NaN', 'Infinity', '-Infinity'].includes(asText(text))) throw new ValueError('unknown number');
    return Number(text);
  },
  i: ([text]) => {
    if (!/^-?\d{1,4096}$/.test(asText(text))) throw new ValueError('malformed bigint');
    return BigInt(asText(text));
  },
  d: ([time], inner) => {
    const ms = inner(time);
    if (typeof ms !== 'number') throw new ValueError('malformed date');
    return new Date(ms);
  },
  b: ([text]) => {
    const bytes = Buffer.from(asText(text), 'base64');
    if (bytes.toString('base64') !== text) throw new ValueError('malformed bytes');
    return new Uint8Array(bytes);
  },
  a: ([items], inner) => list(items).map(inner),
  s: ([items], inner) => new Set(list(items).map(inner)),
  m: ([items], inner) => new Map(list(items).map((pair) => {
    const [key, item] = list(pair, 2);
    return [inner(key), inner(item)];
  })),
  o: ([items], inner, hooks) => hooks.record(pairs(items, inner)),
  e: ([name, message, className, items], inner, hooks) => hooks.error({
    name: asText(name), message: asText(message), className: asText(className), props: pairs(items, inner),
  }),
};

/** @param {unknown} value @returns {string} */
function asText(value) {
  if (typeof value !== 'string') throw new ValueError('text expected');
  return value;
}

/** @param {unknown} value @param {number} [length] @returns {unknown[]} */
function list(value, length) {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) throw new ValueError('list expected');
  return value;
}

/**
 * Key and value pairs with distinct keys.
 * @param {unknown} value
 * @param {(wire: Wire) => unknown} inner
 * @returns {Pairs}
 */
export function pairs(value, inner) {
  const seen = new Set();
  return list(value).map((pair) => {
    const [key, item] = list(pair, 2);
    if (typeof key !== 'string' || seen.has(key)) throw new ValueError('a key is no text or stands twice');
    seen.add(key);
    return [key, inner(item)];
  });
}
