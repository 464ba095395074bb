// Roles, accessible names and descriptions of a snapshot, as far as forms need them (WAI-ARIA name computation,
// HTML mappings). Pure functions over frozen nodes; nothing is evaluated.

/** @typedef {import('./snapshot.mjs').Node} Node */

/** @type {Record<string, string>} */
const ROLE_OF_TAG = {
  button: 'button', textarea: 'textbox', option: 'option', form: 'form', fieldset: 'group', ul: 'list', ol: 'list',
  li: 'listitem', table: 'table', tr: 'row', td: 'cell', th: 'columnheader', img: 'img', dialog: 'dialog', nav: 'navigation',
  main: 'main', p: 'paragraph', output: 'status', progress: 'progressbar', details: 'group', hr: 'separator', article: 'article',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
};

/** @type {Record<string, string>} */
const ROLE_OF_INPUT = {
  checkbox: 'checkbox', radio: 'radio', number: 'spinbutton', range: 'slider', search: 'searchbox', submit: 'button',
  button: 'button', reset: 'button', image: 'button', text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox',
};

const NAMED_BY_CONTENT = new Set(['button', 'link', 'heading', 'option', 'checkbox', 'radio', 'tab', 'menuitem', 'cell',
  'columnheader', 'row', 'switch', 'tooltip']);
export const CONTROLS = new Set(['input', 'select', 'textarea', 'button', 'output', 'meter', 'progress']);

/** @param {string} text */
export function normal(text) {
  return text.replace(/\s+/gu, ' ').trim();
}

/** @param {Node} node @returns {string} the explicit role, or the one HTML gives */
export function roleOf(node) {
  const explicit = (node.attrs.role ?? '').trim().split(/\s+/)[0];
  if (explicit) return explicit;
  if (node.tag === 'input') return ROLE_OF_INPUT[(node.attrs.type ?? 'text').toLowerCase()] ?? (typeIsKnown(node) ? '' : 'textbox');
  if (node.tag === 'select') return node.attrs.multiple !== undefined || Number(node.attrs.size) > 1 ? 'listbox' : 'combobox';
  if (node.tag === 'a') return node.attrs.href === undefined ? '' : 'link';
  return ROLE_OF_TAG[node.tag] ?? '';
}

/** Input types without a role of their own. @param {Node} node */
function typeIsKnown(node) {
  return ['password', 'hidden', 'file', 'color', 'date', 'month', 'week', 'time', 'datetime-local'].includes(node.attrs.type.toLowerCase());
}

/**
 * Visible text of a subtree; the values of controls inside it are not part of it.
 * @param {Node} node @returns {string}
 */
export function contentText(node) {
  return normal(node.content.map((item) => {
    if (typeof item === 'string') return item;
    if (item.hides || ['select', 'textarea'].includes(item.tag)) return ' ';
    const inner = item.attrs['aria-label'] ?? (item.tag === 'img' ? item.attrs.alt ?? '' : contentText(item));
    return BLOCKS.has(item.tag) ? ` ${inner} ` : inner.length > 0 ? keepEdges(item, inner) : '';
  }).join(''));
}

const BLOCKS = new Set(['div', 'p', 'li', 'ul', 'ol', 'br', 'legend', 'label', 'section', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'tr']);

/** Inline elements keep the space at their edges: `<b>a </b>b`. @param {Node} item @param {string} inner */
function keepEdges(item, inner) {
  const raw = item.content.filter((part) => typeof part === 'string');
  const first = typeof item.content[0] === 'string' && /^\s/u.test(String(raw[0])) ? ' ' : '';
  const last = typeof item.content.at(-1) === 'string' && /\s$/u.test(String(raw.at(-1))) ? ' ' : '';
  return `${first}${inner}${last}`;
}

/** @param {Node} node @param {string} attribute @param {Map<string, Node>} byId */
function referenced(node, attribute, byId) {
  const ids = (node.attrs[attribute] ?? '').split(/\s+/).filter(Boolean);
  const texts = ids.map((id) => byId.get(id)).filter((item) => item !== undefined)
    .map((item) => item.attrs['aria-label'] ?? contentText(item));
  return normal(texts.join(' '));
}

/** @param {Node} node @param {readonly Node[]} all @returns {string} text of the labels of a control */
function labelText(node, all) {
  if (!CONTROLS.has(node.tag)) return '';
  const labels = all.filter((item) => item.tag === 'label'
    && (item.attrs.for === undefined ? firstControl(item) === node : node.attrs.id === item.attrs.for));
  return normal(labels.map(contentText).join(' '));
}

/** @param {Node} node @returns {Node | undefined} */
function firstControl(node) {
  for (const child of node.children) {
    const found = CONTROLS.has(child.tag) && child.attrs.type !== 'hidden' ? child : firstControl(child);
    if (found) return found;
  }
  return undefined;
}

/** @param {Node} node @param {readonly Node[]} all @returns {string} */
function nativeName(node, all) {
  if (node.tag === 'fieldset') return contentOf(node.children.find((child) => child.tag === 'legend'));
  if (node.tag === 'img' || (node.tag === 'input' && node.attrs.type === 'image')) return normal(node.attrs.alt ?? '');
  const label = labelText(node, all);
  if (label) return label;
  if (node.tag !== 'input') return '';
  const type = (node.attrs.type ?? '').toLowerCase();
  if (!['submit', 'reset', 'button'].includes(type)) return '';
  return normal(node.attrs.value ?? { submit: 'Submit', reset: 'Reset' }[type] ?? '');
}

/** @param {Node | undefined} node */
function contentOf(node) {
  return node ? contentText(node) : '';
}

/** @param {Node} node @param {readonly Node[]} all @param {Map<string, Node>} byId @returns {string} */
export function nameOf(node, all, byId) {
  const fromContent = () => (NAMED_BY_CONTENT.has(roleOf(node)) ? contentText(node) : '');
  return referenced(node, 'aria-labelledby', byId) || normal(node.attrs['aria-label'] ?? '') || nativeName(node, all)
    || fromContent() || normal(node.attrs.title ?? '') || normal(node.attrs.placeholder ?? '');
}

/** @param {Node} node @param {Map<string, Node>} byId @returns {string} described-by text, and the error message of an invalid field */
export function descriptionOf(node, byId) {
  const error = node.invalid ? referenced(node, 'aria-errormessage', byId) : '';
  return normal(`${referenced(node, 'aria-describedby', byId)} ${error}`);
}
