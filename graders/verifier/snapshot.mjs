// A frozen picture of the child's document and the questions a grader may ask it (security.md 3.10). The tree is
// testimony: it is checked for shape and size here and never evaluated as HTML.
import { ValueError } from '../child/values.mjs';
import { contentText, CONTROLS, descriptionOf, nameOf, normal, roleOf } from './accessible.mjs';
import { LIMITS } from './limits.mjs';

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {string} tag
 * @property {Record<string, string>} attrs
 * @property {(Node | string)[]} content
 * @property {Node[]} children
 * @property {Node | null} parent
 * @property {string | null} value
 * @property {boolean | null} checked
 * @property {boolean} focused
 * @property {boolean} hides itself, whatever its parents do
 * @property {boolean} hidden
 * @property {boolean} disabled
 * @property {boolean} required
 * @property {boolean} invalid
 * @property {boolean} busy
 * @property {string} text
 * @property {string} role
 * @property {string} name
 * @property {string} description
 * @typedef {string | RegExp} Match
 */

/** @param {unknown} condition */
function must(condition) {
  if (!condition) throw new ValueError('malformed document');
}

/** @param {Record<string, string>} attrs @param {string} tag */
function hidesItself(attrs, tag) {
  const style = (attrs.style ?? '').replace(/\s/g, '').toLowerCase();
  return attrs.hidden !== undefined || attrs['aria-hidden'] === 'true' || ['script', 'style', 'template'].includes(tag)
    || (tag === 'input' && attrs.type === 'hidden') || style.includes('display:none') || style.includes('visibility:hidden');
}

/** @param {Record<string, string>} attrs @param {Node | null} parent @param {string} tag */
function isDisabled(attrs, parent, tag) {
  if (attrs['aria-disabled'] === 'true' || (CONTROLS.has(tag) && attrs.disabled !== undefined)) return true;
  if (!parent) return false;
  const byFieldset = parent.tag === 'fieldset' && parent.attrs.disabled !== undefined && tag !== 'legend';
  return byFieldset || (parent.disabled && !CONTROLS.has(parent.tag));
}

/** @param {unknown} pairs @returns {Record<string, string>} */
function attributes(pairs) {
  must(Array.isArray(pairs));
  /** @type {Record<string, string>} */
  const attrs = Object.create(null);
  for (const pair of /** @type {unknown[]} */ (pairs)) {
    must(Array.isArray(pair) && pair.length === 2 && pair.every((item) => typeof item === 'string'));
    const [name, value] = /** @type {[string, string]} */ (pair);
    attrs[name] = value;
  }
  return attrs;
}

export class Snapshot {
  /** @type {Node[]} */
  #nodes = [];
  /** @type {Map<number, Node>} */
  #byNumber = new Map();
  /** @type {Map<string, Node>} */
  #byId = new Map();

  /** @param {unknown} wire `[number, tag, attributes, [value, checked, focused], children]` */
  constructor(wire) {
    this.#build(wire, null, 0);
    for (const node of this.#nodes) {
      if (node.attrs.id !== undefined && !this.#byId.has(node.attrs.id)) this.#byId.set(node.attrs.id, node);
    }
    for (const node of this.#nodes) this.#finish(node);
  }

  /** @param {unknown} wire @param {Node | null} parent @param {number} depth @returns {Node} */
  #build(wire, parent, depth) {
    must(Array.isArray(wire) && wire.length === 5 && depth <= LIMITS.domDepth && this.#nodes.length < LIMITS.domNodes);
    const [id, tag, pairs, state, items] = /** @type {any[]} */ (wire);
    must(Number.isSafeInteger(id) && typeof tag === 'string' && Array.isArray(state) && Array.isArray(items) && !this.#byNumber.has(id));
    const [value, checked, focused] = state;
    must((value === null || typeof value === 'string') && (checked === null || typeof checked === 'boolean'));
    const attrs = attributes(pairs);
    const hides = hidesItself(attrs, tag);
    /** @type {Node} */
    const node = {
      id, tag, attrs, content: [], children: [], parent, value, checked, focused: focused === true, hides,
      hidden: hides || (parent?.hidden ?? false), disabled: isDisabled(attrs, parent, tag),
      required: attrs.required !== undefined || attrs['aria-required'] === 'true',
      invalid: !['false', ''].includes(attrs['aria-invalid'] ?? 'false'), busy: attrs['aria-busy'] === 'true',
      text: '', role: '', name: '', description: '',
    };
    this.#nodes.push(node);
    this.#byNumber.set(id, node);
    node.content = items.map((/** @type {unknown} */ item) => (typeof item === 'string' ? item : this.#build(item, node, depth + 1)));
    node.children = node.content.filter((item) => typeof item !== 'string');
    return node;
  }

  /** @param {Node} node */
  #finish(node) {
    node.text = contentText(node);
    node.role = roleOf(node);
    node.name = nameOf(node, this.#nodes, this.#byId);
    node.description = descriptionOf(node, this.#byId);
    Object.freeze(node);
  }

  /** @returns {Node[]} every node that is not hidden */
  all() {
    return this.#nodes.filter((node) => !node.hidden);
  }

  /** @param {number} id */
  node(id) {
    return this.#byNumber.get(id) ?? null;
  }

  /** @param {Node | null} node @returns {Node | null} the same element in this picture */
  current(node) {
    return node === null ? null : this.node(node.id);
  }

  /** @param {string} role @param {{ name?: Match }} [wanted] */
  allByRole(role, { name } = {}) {
    return this.all().filter((node) => node.role === role && (name === undefined || fits(node.name, name)));
  }

  /** @param {Match} name @returns {Node[]} form controls with that accessible name */
  allByLabel(name) {
    return this.all().filter((node) => isControl(node) && fits(node.name, name));
  }

  /** @param {Match} text @returns {Node[]} the innermost elements with that text */
  allByText(text) {
    return this.all().filter((node) => fits(node.text, text) && !node.children.some((child) => !child.hidden && fits(child.text, text)));
  }

  /** @param {string} role @param {{ name?: Match }} [wanted] */
  byRole(role, wanted) {
    return this.allByRole(role, wanted)[0] ?? null;
  }

  /** @param {Match} name */
  byLabel(name) {
    return this.allByLabel(name)[0] ?? null;
  }

  /** @param {Match} text */
  byText(text) {
    return this.allByText(text)[0] ?? null;
  }

  /** @returns {Node[]} live regions that say something */
  alerts() {
    return this.all().filter((node) => node.text !== '' && (node.role === 'alert' || ['assertive', 'polite'].includes(node.attrs['aria-live'])));
  }

  /** @returns {Node | null} the focused element, null when nothing but the body is */
  focused() {
    return this.#nodes.find((node) => node.focused && node.tag !== 'body') ?? null;
  }
}

/** @param {Node} node */
function isControl(node) {
  return ['input', 'select', 'textarea'].includes(node.tag) || ['textbox', 'combobox', 'checkbox', 'radio', 'switch', 'spinbutton', 'slider', 'listbox'].includes(node.role);
}

/** @param {string} text @param {Match} wanted */
function fits(text, wanted) {
  if (wanted instanceof RegExp) return wanted.test(text);
  return text.toLowerCase() === normal(wanted).toLowerCase();
}
