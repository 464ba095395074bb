// The protocol with one child: tokens, pending calls, handles and the log. It knows nothing of what is judged.
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { ValueError } from '../child/values.mjs';
import { Log, Token } from './log.mjs';
import { fromWire, Handle, toWire } from './remote.mjs';

const TOKEN_BYTES = 12;
const TRACE_LENGTH = 600;

/** The scenario is over: its outcome stands in the session. */
export class Broken extends Error {}

/** @typedef {{ ok: boolean, value: any, error: any, via: string, sent: Token, argsAfter: any[], argsAtReturn: any[] }} CallResult `value` when ok, else `error` */

/** @typedef {(line: () => string) => void} Trace text is made only when somebody reads it */

/** @param {unknown} condition @param {string} message */
function must(condition, message) {
  if (!condition) throw new ValueError(message);
}

export class Session {
  log = new Log();
  /** @type {string | null} */
  outcome = null;
  closed = false;
  callFrames = 0;
  #tokens = new Map([['', -1]]);
  #newestSeen = -1;
  /** @type {Map<string, { kind: string, resolve: (frame: unknown[]) => void, reject: (error: Error) => void }>} */
  #pending = new Map();
  /** @type {Map<string, { name: string, impl: ((...args: any[]) => unknown) | null, delay: number }>} */
  #handles = new Map();
  #usedIds = new Set();
  /** Callbacks whose answer has not been sent. */
  unanswered = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** @param {import('./session.mjs').Trace} trace */
  constructor(trace) {
    this.trace = trace;
    /** @type {(frame: unknown[]) => void} */
    this.transmit = () => undefined;
    this.broken = new Promise((_resolve, reject) => {
      this.rejectBroken = reject;
    });
    this.broken.catch(() => undefined);
  }

  /** The first outcome wins; everything that waits is released. @param {string} outcome */
  break(outcome) {
    if (this.outcome !== null || this.closed) return;
    this.outcome = outcome;
    const error = new Broken(outcome);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.rejectBroken?.(error);
    this.#wake();
  }

  /** @param {string} kind @param {...unknown} rest @returns {Token} */
  send(kind, ...rest) {
    if (this.outcome !== null || this.closed) throw new Broken(this.outcome ?? 'closed');
    const text = randomBytes(TOKEN_BYTES).toString('hex');
    const token = new Token(this.#tokens.size - 1);
    this.#tokens.set(text, token.index);
    this.transmit([kind, text, ...rest]);
    return token;
  }

  /**
   * Sends a frame that must be answered by one frame of kind `answer`.
   * @param {string} answer @param {number} ms @param {string} kind @param {...unknown} rest
   */
  request(answer, ms, kind, ...rest) {
    const id = randomBytes(TOKEN_BYTES).toString('hex');
    const answered = this.#expect(id, answer, ms);
    const sent = this.send(kind, id, ...rest);
    return { sent, answered };
  }

  /** @param {string} id @param {string} kind @param {number} ms @returns {Promise<unknown[]>} */
  #expect(id, kind, ms) {
    const promise = new Promise((resolve, reject) => this.#pending.set(id, { kind, resolve, reject }));
    const timer = setTimeout(() => this.break('timeout'), ms);
    // A grader may drop the promise of a call that breaks: that is no unhandled rejection.
    promise.catch(() => undefined).finally(() => clearTimeout(timer));
    return /** @type {Promise<unknown[]>} */ (promise);
  }

  /** @param {'hello' | 'ready'} kind @param {number} ms */
  expectOnce(kind, ms) {
    return this.#expect(kind, kind, ms);
  }

  /** @param {string} name @param {((...args: any[]) => unknown) | null} impl @param {number} delay @param {string} tag @param {...unknown} rest */
  addHandle(name, impl, delay, tag, ...rest) {
    const id = `h${this.#handles.size}`;
    this.#handles.set(id, { name, impl, delay });
    return new Handle(tag, id, ...rest);
  }

  /** @param {unknown[]} args @returns {unknown[]} */
  wireArguments(args) {
    return args.map(toWire);
  }

  /** A frame of the child. Anything unasked, malformed or untimely breaks the scenario. @param {[string, ...unknown[]]} frame */
  receive([kind, ack, id, ...rest]) {
    if (this.outcome !== null || this.closed) return;
    try {
      const seen = this.#seen(ack);
      if (kind === 'cb') this.#callback(id, seen, rest);
      else this.#answer(kind, id, rest);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.trace(() => `violation: ${error.message}`);
      this.break('violation');
    }
    this.#wake();
  }

  /** @param {unknown} ack */
  #seen(ack) {
    const index = typeof ack === 'string' ? this.#tokens.get(ack) : undefined;
    if (index === undefined || index < this.#newestSeen) throw new ValueError('impossible acknowledgement');
    this.#newestSeen = index;
    return index;
  }

  /** @param {string} kind @param {unknown} id @param {unknown[]} rest */
  #answer(kind, id, rest) {
    if (kind === 'failed' && this.#pending.has('ready')) return this.break('load-error');
    const key = kind === 'hello' || kind === 'ready' ? kind : id;
    // Nothing of the child is turned into text: that could throw, or run what it sent.
    if (typeof key !== 'string') throw new ValueError('malformed id');
    const pending = this.#pending.get(key);
    if (kind === 'unsendable' && ['res', 'tree'].includes(pending?.kind ?? '')) return this.break('unsendable');
    must(pending && pending.kind === kind, `unasked ${JSON.stringify(kind)}`);
    this.#pending.delete(key);
    pending?.resolve(rest);
  }

  /** @param {unknown} id @param {number} seen @param {unknown[]} rest */
  #callback(id, seen, [handleId, wire, ...extra]) {
    const handle = typeof handleId === 'string' ? this.#handles.get(handleId) : undefined;
    must(handle && extra.length === 0 && Array.isArray(wire), 'malformed callback');
    must(typeof id === 'string' && id.length <= 32 && !this.#usedIds.has(id), 'callback id used twice');
    this.#usedIds.add(id);
    const { name, impl, delay } = /** @type {NonNullable<typeof handle>} */ (handle);
    const event = this.log.add('call', name, /** @type {unknown[]} */ (wire).map(fromWire), seen);
    this.trace(() => `call ${name} ${describe(event.args)}`);
    if (impl) void this.#reply(String(id), event, impl, delay);
  }

  /** @param {string} id @param {import('./log.mjs').LogEvent} event @param {(...args: any[]) => unknown} impl @param {number} delay */
  async #reply(id, event, impl, delay) {
    this.unanswered += 1;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    const [ok, value] = await settle(() => impl(...event.args));
    this.unanswered -= 1;
    if (this.outcome !== null || this.closed) return;
    event.reply = this.send('cbr', id, ok, toWire(value));
    this.log.add('reply', event.name, [value], this.#newestSeen);
    this.trace(() => `reply ${event.name} ${ok ? '' : 'rejects '}${describe([value])}`);
    this.#wake();
  }

  #wake() {
    for (const watcher of this.#watchers) watcher();
  }

  /** @param {() => boolean} holds @param {number} ms @returns {Promise<boolean>} */
  until(holds, ms) {
    return new Promise((resolve) => {
      const check = () => {
        if (this.outcome !== null || holds()) finish();
      };
      const finish = () => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve(holds());
      };
      const timer = setTimeout(finish, ms);
      this.#watchers.add(check);
      check();
    });
  }

  /** No callback has a receiver from here on. */
  close() {
    this.closed = true;
    this.#handles.clear();
    this.#watchers.clear();
  }
}

/** @param {() => unknown} action @returns {Promise<[boolean, unknown]>} */
async function settle(action) {
  try {
    return [true, await action()];
  } catch (error) {
    return [false, error];
  }
}

/** @param {unknown[]} values @returns {string} one bounded printable line for the trace of an author's trial */
export function describe(values) {
  const text = inspect(values, { depth: 6, compact: 100, breakLength: Infinity, maxStringLength: 500, maxArrayLength: 20 });
  const printable = text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return printable.length > TRACE_LENGTH ? `${printable.slice(0, TRACE_LENGTH)}...` : printable;
}
