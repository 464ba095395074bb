// What a grader may ask about values that came from the child. Nothing here calls into them.
import { ErrorValue, Remote } from './remote.mjs';

/** @param {unknown} value @returns {value is Remote} */
export function isRemote(value) {
  return value instanceof Remote;
}

/**
 * @param {unknown} value
 * @param {{ name?: string, code?: unknown, message?: RegExp }} [expected]
 * @returns {value is ErrorValue}
 */
export function isError(value, { name, code, message } = {}) {
  return value instanceof ErrorValue
    && (name === undefined || value.name === name)
    && (code === undefined || value.props.code === code)
    && (message === undefined || message.test(value.message));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} a data object, no list and no built-in */
export function isPlain(value) {
  if (value === null || typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** @param {unknown} value @param {string} key @returns {boolean} */
export function hasOwn(value, key) {
  return isPlain(value) && Object.hasOwn(value, key);
}

/** @param {unknown} value @param {...(string | number)} path @returns {any} undefined where the path ends early */
export function get(value, ...path) {
  let at = value;
  for (const key of path) {
    const data = at instanceof Remote ? at.data : at;
    if (data === null || typeof data !== 'object' || !Object.hasOwn(data, key)) return undefined;
    at = Reflect.get(data, key);
  }
  return at;
}

/** @param {unknown} a @param {unknown} b @returns {boolean} strict deep equality; key order does not matter */
export function same(a, b) {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (isPlain(a) && isPlain(b)) return sameEntries(Object.entries(a), b);
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof Map && b instanceof Map) return sameLists([...a], [...b]);
  if (a instanceof Set && b instanceof Set) return sameLists([...a], [...b]);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b)) return sameLists(a, b);
  return a instanceof ErrorValue && sameEntries(Object.entries(a), /** @type {any} */ (b));
}

/** @param {unknown[]} a @param {unknown[]} b */
function sameLists(a, b) {
  return a.length === b.length && a.every((item, at) => same(item, b[at]));
}

/** @param {[string, unknown][]} entries @param {Record<string, unknown>} b */
function sameEntries(entries, b) {
  return entries.length === Object.keys(b).length
    && entries.every(([key, value]) => Object.hasOwn(b, key) && same(value, b[key]));
}
