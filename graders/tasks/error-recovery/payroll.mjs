// What the scenarios of the payroll share: jobs, a bank and records that live in the parent, and how a report is read.
import { get, same } from '../../verifier/api.mjs';

/**
 * @typedef {import('../../types').Driver} Driver
 * @typedef {import('../../types').Rng} Rng
 * @typedef {import('../../types').Log} Log
 * @typedef {import('../../types').LogEvent} LogEvent
 * @typedef {import('../../types').CallResult} CallResult
 * @typedef {{ id: string, account: string, cents: number }} Payment
 * @typedef {{ id: string, payments: Payment[] }} Job
 * @typedef {{ id: string, status: string, reference?: string, code?: string, attempts?: number }} Entry
 */

/** @template T @param {number} length @param {(at: number) => T} make @returns {T[]} */
export function times(length, make) {
  return Array.from({ length }, (_, at) => make(at));
}

/** @param {Rng} rng @param {number} at @returns {Payment} */
export function payment(rng, at) {
  return { id: `${rng.word(rng.int(2, 6))}${at}`, account: rng.text(rng.int(5, 20)), cents: rng.int(2, 9_000_000) };
}

/** @param {Rng} rng @param {number} count @returns {Job} */
export function job(rng, count) {
  return { id: `${rng.word(rng.int(3, 8))}${rng.int(0, 99)}`, payments: times(count, (at) => payment(rng, at)) };
}

/** @param {Payment} payment @returns {string} what the bank calls the transfer: known without the bank's books */
export function referenceOf({ id, cents }) {
  return `R${cents}-${id}`;
}

/** @param {Payment} payment @returns {Entry} */
export function paid(payment) {
  return { id: payment.id, status: 'paid', reference: referenceOf(payment) };
}

/** @param {Rng} rng short waits, in case a solution really waits */
export function limits(rng) {
  return { attempts: rng.int(3, 4), delayMs: rng.int(3, 9), maxDelayMs: rng.int(20, 40) };
}

/** @param {Rng} rng @param {unknown} code @param {Record<string, unknown>} [props] @returns {Error & { code?: unknown }} an error of the bank or of the adapter */
export function failure(rng, code, props = {}) {
  return Object.assign(new Error(rng.text(10)), code === undefined ? {} : { code }, props);
}

/** The adapter's contents, in the parent: they outlive every process. */
export class Records {
  /** @param {Map<string, Uint8Array>} [entries] */
  constructor(entries = new Map()) {
    this.entries = entries;
    /** @type {() => Error | null} */
    this.putFails = () => null;
  }

  copy() {
    return new Records(new Map(this.entries));
  }

  /** @param {Driver} s */
  adapter(s) {
    const { entries } = this;
    return {
      get: s.fn('get', async (key) => entries.get(key)),
      has: s.fn('has', async (key) => entries.has(key)),
      delete: s.fn('delete', async (key) => {
        entries.delete(key);
      }),
      list: s.fn('list', async (prefix) => [...entries.keys()].filter((key) => key.startsWith(prefix)).sort()),
      put: s.fn('put', async (key, bytes) => {
        const error = this.putFails();
        if (error) throw error;
        entries.set(key, bytes);
      }),
    };
  }
}

/**
 * A bank that fails as planned and then pays. `name` names its transfers in the log.
 * @param {Driver} s @param {string} name @param {{ plan?: Record<string, Error[]>, answer?: (id: string) => unknown }} [options]
 */
export function bank(s, name, { plan = {}, answer } = {}) {
  const left = new Map(Object.entries(plan).map(([id, errors]) => [id, [...errors]]));
  return {
    transfer: s.fn(name, async (sent) => {
      const id = String(get(sent, 'id'));
      await answer?.(id);
      const error = left.get(id)?.shift();
      if (error) throw error;
      return referenceOf(/** @type {Payment} */ (sent));
    }),
  };
}

/** @param {Driver} s @param {() => Promise<void>} [wait] */
export function sleep(s, wait = async () => undefined) {
  return s.fn('sleep', wait);
}

/** @param {LogEvent} call @returns {string} */
export function paymentOf(call) {
  return String(get(call.args[0], 'id'));
}

/** @param {Log} log @param {string} name @param {{ id: string }} payment @returns {LogEvent[]} */
export function tries(log, name, { id }) {
  return log.calls(name).filter((call) => paymentOf(call) === id);
}

/** @param {LogEvent} call @returns {unknown} */
export function keyOf(call) {
  return call.args[1];
}

/** @param {LogEvent[]} calls @returns {boolean} all of them with one key, which is a text */
export function oneKey(calls) {
  return calls.every((call) => typeof keyOf(call) === 'string' && keyOf(call) === keyOf(calls[0]));
}

/** @param {CallResult} result @param {string} id @returns {Entry | undefined} */
export function entryOf(result, id) {
  const entries = get(result.value, 'payments');
  return Array.isArray(entries) ? entries.map(plainEntry).find((entry) => entry.id === id) : undefined;
}

/** @param {unknown} entry @returns {Entry} only what the contract names */
function plainEntry(entry) {
  const fields = ['id', 'status', 'reference', 'code', 'attempts'].map((key) => [key, get(entry, key)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** @param {CallResult} result @param {string} status @returns {boolean} */
export function reports(result, status) {
  return result.ok && get(result.value, 'status') === status && Array.isArray(get(result.value, 'payments'));
}

/** @param {CallResult} result @param {string} status @param {Entry[]} entries @returns {boolean} this status and exactly these entries */
export function reportsAll(result, status, entries) {
  return reports(result, status) && same(get(result.value, 'payments').map(plainEntry), entries);
}
