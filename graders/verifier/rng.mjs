// Inputs drawn from the attempt's seed: the same seed gives the same inputs on every machine (security row 23).
import { createHash } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MIXED = [...'abcXYZ089 .,-_/\\\'"<>&%\téßøЖ日本語ك🙂'];

/** sfc32 by Chris Doty-Humphrey, started from a hash of the label. */
export class Rng {
  /** @type {string} */
  #label;
  /** @type {Uint32Array} */
  #state;

  /** @param {string} label */
  constructor(label) {
    this.#label = label;
    const digest = createHash('sha256').update(label).digest();
    this.#state = new Uint32Array([0, 4, 8, 12].map((at) => digest.readUInt32LE(at)));
  }

  /** @param {string} label @returns {Rng} independent of what was drawn here before */
  fork(label) {
    return new Rng(`${this.#label}/${label}`);
  }

  #next() {
    const s = this.#state;
    const drawn = (s[0] + s[1] + s[3]) >>> 0;
    s[3] += 1;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 21) | (s[2] >>> 11)) + drawn;
    return drawn;
  }

  /** @param {number} low @param {number} high @returns {number} both ends included */
  int(low, high) {
    return low + Math.floor((this.#next() / 0x1_0000_0000) * (high - low + 1));
  }

  /** @returns {boolean} */
  bool() {
    return this.int(0, 1) === 1;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  /** @template T @param {readonly T[]} list @returns {T[]} a shuffled copy */
  shuffle(list) {
    const copy = [...list];
    for (let at = copy.length - 1; at > 0; at -= 1) {
      const other = this.int(0, at);
      [copy[at], copy[other]] = [copy[other], copy[at]];
    }
    return copy;
  }

  /** @param {number} length @returns {string} lowercase letters */
  word(length) {
    return Array.from({ length }, () => this.pick([...LETTERS])).join('');
  }

  /** @param {number} length @returns {string} `length` characters of many kinds, no lone surrogates */
  text(length) {
    return Array.from({ length }, () => this.pick(MIXED)).join('');
  }

  /** @returns {string} a version 4 UUID */
  uuid() {
    const hex = Buffer.from(this.bytes(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${this.pick(['8', '9', 'a', 'b'])}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** @returns {string} */
  email() {
    return `${this.word(this.int(3, 9))}@${this.word(this.int(3, 9))}.example`;
  }

  /** @param {number} length @returns {Uint8Array} */
  bytes(length) {
    return Uint8Array.from({ length }, () => this.int(0, 255));
  }
}
