// `s`: all that a scenario can do to the submission. Every act is a frame; every answer is decoded data.
import { ValueError } from '../child/values.mjs';
import { LIMITS } from './limits.mjs';
import { Handle, Remote, fromWire, toWire } from './remote.mjs';
import { Broken, describe } from './session.mjs';
import { Snapshot } from './snapshot.mjs';

/** @typedef {import('./session.mjs').CallResult} CallResult */

/** A scenario cannot go on: what it needs is not there. */
export class Stopped extends Error {}

const VIA = new Set(['return', 'resolve', 'throw', 'reject', 'missing']);
const WAIT_MS = 1000;

/** An answer for s.sync that throws. */
class Throwing {
  /** @param {Error} error */
  constructor(error) {
    this.error = error;
  }
}

export class Driver {
  #session;
  /** @type {Snapshot | null} */
  #snapshot = null;

  /** @param {import('./session.mjs').Session} session @param {import('./rng.mjs').Rng} rng */
  constructor(session, rng) {
    this.#session = session;
    this.rng = rng;
    this.log = session.log;
  }

  /** @param {string} exportName @param {...unknown} args */
  call(exportName, ...args) {
    return this.#call(['export', exportName], args, false);
  }

  /** Like call, and tells what became of the arguments. @param {string} exportName @param {...unknown} args */
  observe(exportName, ...args) {
    return this.#call(['export', exportName], args, true);
  }

  /** @param {string} exportName @param {...unknown} args */
  construct(exportName, ...args) {
    return this.#call(['construct', exportName], args, false);
  }

  /** @param {unknown} remote @param {string | null} method @param {...unknown} args */
  invoke(remote, method, ...args) {
    return this.#call(['remote', this.#remote(remote), method], args, false);
  }

  /** Like invoke, and tells what became of the arguments. @param {unknown} remote @param {string | null} method @param {...unknown} args */
  observeInvoke(remote, method, ...args) {
    return this.#call(['remote', this.#remote(remote), method], args, true);
  }

  /** @param {unknown} remote @param {number} max */
  iterate(remote, max) {
    return this.#call(['iterate', this.#remote(remote)], [max], false);
  }

  /** @param {unknown} remote @returns {string} */
  #remote(remote) {
    if (!(remote instanceof Remote)) throw new Stopped('the result is nothing that can be called');
    return remote.id;
  }

  /** @param {unknown[]} target @param {unknown[]} args @param {boolean} keep @returns {Promise<CallResult>} */
  #call(target, args, keep) {
    this.#session.callFrames += 1;
    this.#session.trace(() => `-> ${target.join(' ')} ${describe(args)}`);
    const { sent, answered } = this.#session.request('res', LIMITS.callMs, 'call', target, this.#session.wireArguments(args), keep);
    this.#session.log.add('sent', String(target[1]), args, sent.index);
    const result = this.#result(sent, answered);
    result.catch(() => undefined);
    return result;
  }

  /** @param {import('./log.mjs').Token} sent @param {Promise<unknown[]>} answered @returns {Promise<CallResult>} */
  async #result(sent, answered) {
    const [ok, via, value, kept, atReturn = null] = await answered;
    const decoded = this.#guard(() => {
      const sound = typeof ok === 'boolean' && typeof via === 'string' && VIA.has(via) && Array.isArray(kept);
      if (!sound || (atReturn !== null && !Array.isArray(atReturn))) throw new ValueError('malformed result');
      const argsAfter = kept.map(fromWire);
      return { ok, via, value: fromWire(value), argsAfter, argsAtReturn: atReturn === null ? argsAfter : atReturn.map(fromWire) };
    });
    const { value: found, ...rest } = decoded;
    this.#session.trace(() => `<- ${rest.via} ${describe([found])}`);
    return { ...rest, value: rest.ok ? found : undefined, error: rest.ok ? undefined : found, sent };
  }

  /** @template T @param {() => T} read @returns {T} */
  #guard(read) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.#session.trace(() => `violation: ${error.message}`);
      this.#session.break('violation');
      throw new Broken('violation');
    }
  }

  /** @param {string} name @param {(...args: any[]) => unknown} impl @param {{ delay?: number }} [options] */
  fn(name, impl, { delay = 0 } = {}) {
    return this.#session.addHandle(name, impl, delay, 'f');
  }

  /** @param {string} name @param {unknown[]} values the last one repeats */
  sync(name, values) {
    const answers = values.map((value) => (value instanceof Throwing ? [false, toWire(value.error)] : [true, toWire(value)]));
    return this.#session.addHandle(name, null, 0, 'y', answers);
  }

  /** @param {Error} error */
  throwing(error) {
    return new Throwing(error);
  }

  signal() {
    return this.#session.addHandle('signal', null, 0, 'g');
  }

  /** @param {Handle} signal @param {unknown} [reason] @returns {import('./log.mjs').Token} */
  abort(signal, reason) {
    const token = this.#session.send('abort', signal.id, toWire(reason));
    this.#session.log.add('sent', 'abort', [reason], token.index);
    this.#session.trace(() => '-> abort');
    return token;
  }

  /** @param {string} kind @param {...unknown} details */
  hostile(kind, ...details) {
    return new Handle('x', kind, ...this.#session.wireArguments(details));
  }

  /** @param {number} ms */
  async wait(ms) {
    await this.#session.until(() => false, Math.min(ms, WAIT_MS));
  }

  /** @param {() => boolean} condition */
  until(condition) {
    return this.#session.until(condition, LIMITS.untilMs);
  }

  /** @param {unknown} condition */
  need(condition) {
    if (!condition) throw new Stopped('a precondition does not hold');
  }

  /** @returns {Snapshot} */
  get dom() {
    if (!this.#snapshot) throw new Stopped('nothing is mounted');
    return this.#snapshot;
  }

  /** @param {string} exportName @param {Record<string, unknown>} props */
  async mount(exportName, props) {
    const result = await this.#call(['mount', exportName], [props], false);
    await this.#act('look', []);
    return result;
  }

  /** @param {string} action @param {unknown[]} args */
  async #act(action, args) {
    const { answered } = this.#session.request('tree', LIMITS.callMs, 'act', action, this.#session.wireArguments(args));
    const [tree] = await answered;
    this.#snapshot = this.#guard(() => new Snapshot(tree));
    return JSON.stringify(tree);
  }

  /** @param {string} action @param {import('./snapshot.mjs').Node | null} node @param {string} [text] */
  async #onNode(action, node, text = '') {
    if (!node || this.dom.node(node.id) === null) throw new Stopped(`no element to ${action}`);
    this.#session.trace(() => `-> ${action} ${node.tag} ${JSON.stringify(node.name)} ${JSON.stringify(text)}`);
    await this.#act(action, [node.id, text]);
  }

  /** @param {Record<string, unknown>} props */
  async rerender(props) {
    await this.#act('rerender', [props]);
  }

  async unmount() {
    await this.#act('unmount', []);
  }

  /** @param {import('./snapshot.mjs').Node | null} node @param {string} text */
  input(node, text) {
    return this.#onNode('input', node, text);
  }

  /** @param {import('./snapshot.mjs').Node | null} node */
  click(node) {
    return this.#onNode('click', node);
  }

  /** @param {import('./snapshot.mjs').Node | null} node @param {string} key */
  key(node, key) {
    return this.#onNode('key', node, key);
  }

  /** @param {import('./snapshot.mjs').Node | null} node */
  focus(node) {
    return this.#onNode('focus', node);
  }

  /** @param {import('./snapshot.mjs').Node | null} node */
  blur(node) {
    return this.#onNode('blur', node);
  }

  /** @param {import('./snapshot.mjs').Node | null} node */
  submit(node) {
    return this.#onNode('submit', node);
  }

  /** Until every callback is answered and two pictures in a row are equal. */
  async settle() {
    const end = Date.now() + LIMITS.settleMs;
    let before = await this.#act('look', []);
    while (Date.now() < end) {
      await this.#session.until(() => this.#session.unanswered === 0, end - Date.now());
      const now = await this.#act('look', []);
      if (now === before && this.#session.unanswered === 0) return;
      before = now;
    }
  }
}
