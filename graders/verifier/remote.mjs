// The parent's view of values: plain data, names of what lives in the child, and handles of what lives here.
import { decode, encode, pairs, ValueError } from '../child/values.mjs';

/** @typedef {import('../child/values.mjs').Wire} Wire */

/** Something alive in the child: only a name and what was readable of it. */
export class Remote {
  /**
   * @param {string} id
   * @param {string} kind `object`, `function` or `symbol`
   * @param {string} className
   * @param {Record<string, unknown>} data
   * @param {string[]} methods
   */
  constructor(id, kind, className, data, methods) {
    this.id = id;
    this.kind = kind;
    this.className = className;
    this.data = data;
    this.methods = methods;
    Object.freeze(this);
  }
}

/** An Error of the child, as data. */
export class ErrorValue {
  /** @param {string} name @param {string} message @param {string} className @param {Record<string, unknown>} props */
  constructor(name, message, className, props) {
    this.name = name;
    this.message = message;
    this.className = className;
    this.props = props;
    Object.freeze(this);
  }
}

/** Something alive in the parent that a scenario passes as an argument. */
export class Handle {
  /** @param {string} tag @param {string} id @param {...Wire} rest */
  constructor(tag, id, ...rest) {
    this.wire = [tag, id, ...rest];
    this.id = id;
    Object.freeze(this);
  }
}

/** Without prototype: a key of the child can never reach `Object.prototype` (security row 6). @param {[string, unknown][]} items */
function record(items) {
  /** @type {Record<string, unknown>} */
  const made = Object.create(null);
  for (const [key, value] of items) made[key] = value;
  return made;
}

/** @param {unknown} value @returns {Wire} */
export function toWire(value) {
  return encode(value, {
    special(item) {
      if (item instanceof Handle) return item.wire;
      if (item instanceof Remote) return ['r', item.id];
      if (item instanceof ErrorValue) return toWire(Object.assign(new Error(item.message), item.props, { name: item.name }));
      if (typeof item === 'function') throw new TypeError('pass s.fn(...) instead of a function');
      return undefined;
    },
  });
}

/** @param {Wire} wire @returns {unknown} */
export function fromWire(wire) {
  return decode(wire, {
    record,
    error: ({ name, message, className, props }) => new ErrorValue(name, message, className, record(props)),
    special(tag, rest, inner) {
      if (tag !== 'r' || rest.length !== 5) throw new ValueError('unknown tag');
      const [id, kind, className, data, methods] = rest;
      if (![id, kind, className].every((item) => typeof item === 'string')) throw new ValueError('malformed name');
      if (!Array.isArray(methods) || !methods.every((item) => typeof item === 'string')) throw new ValueError('malformed methods');
      return new Remote(String(id), String(kind), String(className), record(pairs(data, inner)), methods);
    },
  });
}
