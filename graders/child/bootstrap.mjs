// The untrusted side: loads the submission after `go` and turns frames into calls. It holds no secret and decides
// nothing: everything it says is testimony that the parent judges (R-K3).
import { Socket } from 'node:net';
import { encodeFrame, FrameDecoder } from './frames.mjs';
import { Remotes } from './remotes.mjs';

const PIPE_FD = 3;
const pipe = new Socket({ fd: PIPE_FD, readable: true, writable: true });
const decoder = new FrameDecoder();
const exit = process.exit.bind(process);
const { stringify } = JSON;

/** Token of the newest frame received: returned with every frame, so the parent sees what the child had seen. */
let ack = '';
/** @type {Record<string, unknown>} */
let exported = {};
/** @type {import('./dom.mjs').Dom | null} */
let dom = null;
let callbacks = 0;
/** @type {Map<string, { resolve: (value: unknown) => void, reject: (error: unknown) => void }>} */
const waiting = new Map();

/** @param {...unknown} frame */
function send(...frame) {
  pipe.write(encodeFrame(frame));
}

const remotes = new Remotes((handle, args) => {
  const id = `c${callbacks += 1}`;
  send('cb', ack, id, handle, args);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}, (handle, args) => send('cb', ack, `c${callbacks += 1}`, handle, args));

/** @param {string} url @param {boolean} withDom */
async function load(url, withDom) {
  try {
    if (withDom) dom = await (await import('./dom.mjs')).openDom(url);
    exported = await import(url);
  } catch (error) {
    // What went wrong is the submission's own text: it stays on this side's stderr, which nobody parses.
    console.error(error);
    send('failed', ack);
    return;
  }
  send('ready', ack);
}

/** @param {unknown} value @returns {value is PromiseLike<unknown>} */
function isThenable(value) {
  return value !== null && ['object', 'function'].includes(typeof value)
    && typeof (/** @type {{ then?: unknown }} */ (value)).then === 'function';
}

/**
 * @param {() => unknown} action
 * @returns {Promise<[ok: boolean, via: string, value: unknown]>}
 */
async function outcome(action) {
  let value;
  try {
    value = action();
    if (!isThenable(value)) return [true, 'return', value];
  } catch (error) {
    return [false, 'throw', error];
  }
  try {
    return [true, 'resolve', await value];
  } catch (error) {
    return [false, 'reject', error];
  }
}

/** @param {unknown} target @returns {{ fn: Function, self: unknown } | null} */
function find(target) {
  const [kind, name, method] = /** @type {[string, string, string | null]} */ (target);
  if (kind !== 'remote') {
    const fn = Object.hasOwn(exported, name) ? exported[name] : undefined;
    return typeof fn === 'function' ? { fn, self: undefined } : null;
  }
  const self = remotes.get(name);
  const fn = method === null ? self : Reflect.get(Object(self), method);
  return typeof fn === 'function' ? { fn, self: method === null ? undefined : self } : null;
}

/** @param {unknown} target @param {unknown[]} args @returns {Promise<[boolean, string, unknown]>} */
async function perform(target, args) {
  const [kind, name] = /** @type {string[]} */ (target);
  if (kind === 'iterate') return outcome(() => remotes.drain(name, Number(args[0])));
  const found = find(target);
  if (found === null) return [false, 'missing', undefined];
  if (kind === 'mount' && dom) {
    const screen = dom;
    return outcome(() => screen.mount(found.fn, args[0]));
  }
  return outcome(() => (kind === 'construct' ? Reflect.construct(found.fn, args) : Reflect.apply(found.fn, found.self, args)));
}

/** @param {unknown[]} args @returns {unknown[] | null} the arguments as data; null when they cannot be read */
function picture(args) {
  try {
    return args.map((item) => remotes.encode(item));
  } catch {
    return null;
  }
}

/** @param {string} id @param {unknown} target @param {unknown[]} wire @param {boolean} keep */
async function call(id, target, wire, keep) {
  const args = wire.map((item) => remotes.decode(item));
  const performed = perform(target, args);
  // Taken before anything else can run: what was changed could be put back before the answer leaves.
  const atReturn = keep ? picture(args) : [];
  const [ok, via, value] = await performed;
  try {
    const kept = keep ? picture(args) : [];
    if (kept === null || atReturn === null) throw new TypeError('the arguments cannot be read');
    // A constructed value is always handed over alive, even when it looks like plain data.
    const result = ok && /** @type {string[]} */ (target)[0] === 'construct' ? remotes.keep(value) : remotes.encode(value);
    send('res', ack, id, ok, via, result, kept, stringify(kept) === stringify(atReturn) ? null : atReturn);
  } catch {
    // Cyclic, too large, or hostile to being read: a value that cannot leave is the submission's failure.
    send('unsendable', ack, id);
  }
}

/** @param {string} id @param {string} action @param {unknown[]} args */
async function act(id, action, args) {
  if (!dom) return;
  try {
    const tree = await dom.act(action, args.map((item) => remotes.decode(item)));
    // `ack` is read after the wait: a frame with an older token than one sent before it is a violation.
    send('tree', ack, id, tree);
  } catch (error) {
    console.error(error);
    send('unsendable', ack, id);
  }
}

/** @param {string} id @param {boolean} ok @param {unknown} wire */
function answer(id, ok, wire) {
  const pending = waiting.get(id);
  waiting.delete(id);
  const value = remotes.decode(wire);
  if (ok) pending?.resolve(value);
  else pending?.reject(value);
}

/** @type {Record<string, (...rest: any[]) => unknown>} */
const receive = {
  go: load,
  call,
  act,
  cbr: answer,
  abort: (handle, wire) => remotes.abort(handle, remotes.decode(wire)),
  ping: (id) => send('pong', ack, id),
};

pipe.on('data', (chunk) => {
  for (const [kind, token, ...rest] of decoder.push(/** @type {Buffer} */ (chunk))) {
    ack = String(token);
    receive[kind](...rest);
  }
});
pipe.on('error', () => exit(0));
pipe.on('close', () => exit(0));
send('hello', ack);
