// One untrusted child: started with nothing but its bootstrap, bounded in all that it sends, killed with its group.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeFrame, FrameDecoder, FrameError } from '../child/frames.mjs';
import { CHILD_ID } from './attest.mjs';
import { LIMITS } from './limits.mjs';
import { describe } from './session.mjs';

const CLEAN_ENV = Object.freeze({
  PATH: '/nonexistent', HOME: '/nonexistent', TZ: 'UTC', LANG: 'C.UTF-8', NODE_ENV: 'production',
});

/**
 * @typedef {{ bootstrap: string, readable: string[], cwd: string, tmp: string | null }} ChildSpec
 */

/** @param {ChildSpec} spec @returns {string[]} arguments: world readable, so nothing in them may be secret */
export function childArguments(spec) {
  return [
    // Its ATTACH reaches files that the permissions deny (measured).
    '--no-experimental-sqlite',
    '--permission', ...spec.readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${LIMITS.heapMb}`, spec.bootstrap,
  ];
}

/** @type {Set<Child>} */
const alive = new Set();

/** For the end of the parent itself: no child outlives it. */
export function killAll() {
  for (const child of alive) child.kill();
}

/** The process and its pipe. `onFrame` gets frames, `onBroken` the first outcome that ends the scenario. */
export class Child {
  #bytes = 0;
  #frames = 0;
  #output = 0;
  #closing = false;
  #decoder = new FrameDecoder();

  /**
   * @param {ChildSpec} spec
   * @param {boolean} dropIds true in the container, where the parent is root
   * @param {(frame: [string, ...unknown[]]) => void} onFrame
   * @param {(outcome: string) => void} onBroken
   * @param {import('./session.mjs').Trace} trace
   */
  constructor(spec, dropIds, onFrame, onBroken, trace) {
    this.onFrame = onFrame;
    this.onBroken = onBroken;
    this.trace = trace;
    // Always both ids or neither: a uid without a gid keeps group 0 (measured).
    const ids = dropIds ? { uid: CHILD_ID, gid: CHILD_ID } : {};
    this.process = spawn(process.execPath, childArguments(spec), {
      cwd: spec.cwd, env: { ...CLEAN_ENV }, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], ...ids,
    });
    this.pid = this.process.pid ?? 0;
    this.pipe = /** @type {import('node:net').Socket} */ (this.process.stdio[3]);
    this.exited = new Promise((resolve) => this.process.once('exit', () => resolve(true)));
    alive.add(this);
    this.#listen();
  }

  #listen() {
    const broken = () => this.#break('exit');
    this.process.on('error', () => this.#break('not-started'));
    this.process.on('exit', broken);
    this.pipe.on('data', (chunk) => this.#receive(chunk));
    // A child that dies with unread data resets the pipe: without a handler that would end the parent.
    this.pipe.on('error', broken);
    this.pipe.on('end', broken);
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk) => this.#drain(chunk));
      stream?.on('error', () => undefined);
    }
  }

  /** @param {string} outcome */
  #break(outcome) {
    if (!this.#closing) this.onBroken(outcome);
  }

  /** Output is counted and dropped: never parsed, and shown to nobody but an author who traces (R-K3). @param {Buffer} chunk */
  #drain(chunk) {
    this.#output += chunk.length;
    this.trace(() => `child prints ${describe([chunk.toString('latin1')])}`);
    if (this.#output > LIMITS.outputBytes) this.#break('flood');
  }

  /** @param {Buffer} chunk */
  #receive(chunk) {
    this.#bytes += chunk.length;
    if (this.#bytes > LIMITS.bytesIn) return this.#break('flood');
    try {
      for (const frame of this.#decoder.push(chunk)) {
        if (this.#closing) return;
        this.#frames += 1;
        if (this.#frames > LIMITS.framesIn) return this.#break('flood');
        this.onFrame(frame);
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#break('violation');
    }
  }

  /** @param {unknown[]} frame */
  send(frame) {
    if (this.#closing || !this.pipe.writable) return;
    this.pipe.write(encodeFrame(frame));
    // A child that does not read must not fill the parent's memory.
    if (this.pipe.writableLength > LIMITS.queueBytes) this.#break('flood');
  }

  /** Nothing is received from here on; the whole group is killed and its end awaited. */
  async stop() {
    this.#closing = true;
    this.pipe.destroy();
    for (const stream of [this.process.stdout, this.process.stderr]) stream?.destroy();
    this.kill();
    const gone = await Promise.race([this.exited, delay(LIMITS.exitMs, false, { ref: false })]);
    alive.delete(this);
    return gone || this.pid === 0;
  }

  kill() {
    // 0 would mean our own group, and 1 everyone: only a real child has a larger id.
    if (this.pid <= 1) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
    }
  }
}
