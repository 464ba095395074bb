// A real DOM for component scenarios: jsdom and React of the consumer. After each action the parent gets a bounded
// tree; what it looks for in the tree never comes here (R-K3).
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const MAX_NODES = 2000;
const MAX_DEPTH = 40;
// Node has its own versions of these; components must meet the DOM's.
const OVERRIDDEN = ['Event', 'EventTarget', 'CustomEvent', 'FormData', 'Blob', 'File', 'AbortController', 'AbortSignal',
  'navigator', 'MessageEvent', 'DOMException', 'Headers', 'localStorage', 'sessionStorage'];

/** @typedef {any} Any jsdom and React bring no types into this folder */

/** @param {Any} window */
function installGlobals(window) {
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !OVERRIDDEN.includes(name)) continue;
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  }
  Object.assign(globalThis, { window, self: window });
}

/** @param {string} url the submission: packages resolve as its own imports do */
export async function openDom(url) {
  const need = createRequire(url);
  const { JSDOM, VirtualConsole } = need('jsdom');
  const { window } = new JSDOM('<!doctype html><html><head></head><body></body></html>', {
    url: 'http://localhost/', pretendToBeVisual: true, virtualConsole: new VirtualConsole(),
  });
  installGlobals(window);
  // A browser reports a rejected handler and goes on; Node would end the process.
  process.on('unhandledRejection', () => undefined);
  return new Dom(window, need('react'), need('react-dom/client'));
}

/** One document with one mounted component. */
export class Dom {
  #numbers = new WeakMap();
  /** @type {Any[]} */
  #nodes = [];
  /** @type {Any} */
  #root = null;
  /** @type {Any} */
  #component = null;

  /** @param {Any} window @param {Any} react @param {Any} client */
  constructor(window, react, client) {
    this.window = window;
    this.document = window.document;
    this.react = react;
    this.client = client;
  }

  /** @param {Any} component @param {Any} props */
  async mount(component, props) {
    const container = this.document.body.appendChild(this.document.createElement('div'));
    /** @type {{ error: unknown } | null} */
    let broken = null;
    this.#component = component;
    this.#root = this.client.createRoot(container, { onUncaughtError: (/** @type {unknown} */ error) => { broken = { error }; } });
    this.#root.render(this.react.createElement(component, props));
    await this.#quiet();
    if (broken) throw (/** @type {{ error: unknown }} */ (broken)).error;
  }

  /** @param {string} action @param {unknown[]} args @returns {Promise<unknown>} the tree afterwards */
  async act(action, args) {
    if (action === 'unmount') this.#root?.unmount();
    else if (action === 'rerender') this.#root?.render(this.react.createElement(this.#component, args[0]));
    else if (action !== 'look') this.#onNode(action, this.#nodes[Number(args[0])], String(args[1]));
    await this.#quiet();
    return this.#tree();
  }

  /** Lets React's scheduler and settled promises run: a few turns of the event loop, not a wait for anything. */
  async #quiet() {
    for (let turn = 0; turn < 3; turn += 1) await delay(0);
  }

  /** @param {string} action @param {Any} node @param {string} text */
  #onNode(action, node, text) {
    if (!node?.isConnected) return;
    if (action === 'focus') node.focus();
    else if (action === 'blur') node.blur();
    else if (action === 'submit') node.requestSubmit?.();
    else if (action === 'click') this.#click(node);
    else if (action === 'input') this.#input(node, text);
    else if (action === 'key') this.#key(node, text);
  }

  /** @param {Any} node */
  #click(node) {
    const { MouseEvent } = this.window;
    const init = { bubbles: true, cancelable: true, view: this.window };
    if (node.dispatchEvent(new MouseEvent('mousedown', init))) node.focus?.();
    node.dispatchEvent(new MouseEvent('mouseup', init));
    node.click();
  }

  /** @param {Any} node @param {string} text */
  #input(node, text) {
    if (node.disabled || node.readOnly) return;
    node.focus();
    // The prototype's setter: React shadows `value` on the node itself and would miss the change.
    const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(node), 'value')?.set;
    if (setter) Reflect.apply(setter, node, [text]);
    node.dispatchEvent(new this.window.InputEvent('input', { bubbles: true, data: text }));
    node.dispatchEvent(new this.window.Event('change', { bubbles: true }));
  }

  /** @param {Any} node @param {string} key */
  #key(node, key) {
    const init = { key, code: key, bubbles: true, cancelable: true, view: this.window };
    node.focus?.();
    const proceeds = node.dispatchEvent(new this.window.KeyboardEvent('keydown', init));
    if (proceeds && key === 'Enter') this.#enter(node);
    if (proceeds && key === ' ' && node.tagName === 'BUTTON') node.click();
    node.dispatchEvent(new this.window.KeyboardEvent('keyup', init));
  }

  /** Enter activates a button and submits a form from a one-line field, as browsers do. @param {Any} node */
  #enter(node) {
    if (['BUTTON', 'A'].includes(node.tagName)) node.click();
    if (node.tagName !== 'INPUT' || !node.form) return;
    const submit = [...node.form.elements].find((item) => item.type === 'submit' || item.type === 'image');
    if (submit) submit.click();
    else node.form.requestSubmit();
  }

  #tree() {
    this.count = 0;
    return this.#encode(this.document.body, 0);
  }

  /** @param {Any} node */
  #number(node) {
    const known = this.#numbers.get(node);
    if (known !== undefined) return known;
    this.#numbers.set(node, this.#nodes.length);
    return this.#nodes.push(node) - 1;
  }

  /** @param {Any} node @param {number} depth @returns {unknown} `[number, tag, attributes, state, children]` or text */
  #encode(node, depth) {
    this.count = (this.count ?? 0) + 1;
    if (this.count > MAX_NODES || depth > MAX_DEPTH) throw new RangeError('the document is too large');
    if (node.nodeType === 3) return node.data;
    const attributes = [...node.attributes].map(({ name, value }) => [name, value]);
    const children = [...node.childNodes].filter(({ nodeType }) => nodeType === 1 || nodeType === 3);
    return [this.#number(node), node.tagName.toLowerCase(), attributes, this.#state(node),
      children.map((child) => this.#encode(child, depth + 1))];
  }

  /** @param {Any} node @returns {[value: string | null, checked: boolean | null, focused: boolean]} */
  #state(node) {
    const value = ['INPUT', 'TEXTAREA', 'SELECT', 'OPTION'].includes(node.tagName) ? String(node.value) : null;
    const checked = node.tagName === 'INPUT' ? Boolean(node.checked) : null;
    return [value, node.tagName === 'OPTION' ? Boolean(node.selected) : checked, this.document.activeElement === node];
  }
}
