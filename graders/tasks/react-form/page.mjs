// What the scenarios of the booking form share: entries, finding fields, filling and submitting, reading pictures.

/**
 * @typedef {import('../../types').Driver} Driver
 * @typedef {import('../../types').Rng} Rng
 * @typedef {import('../../types').Log} Log
 * @typedef {import('../../types').Node} Node
 * @typedef {import('../../types').Snapshot} Snapshot
 * @typedef {'name' | 'email' | 'seats' | 'note'} Field
 * @typedef {Record<Field, string>} Entry what is typed
 */

/** In the order of the page. @type {Field[]} */
export const FIELDS = ['name', 'email', 'seats', 'note'];
/** @type {Record<Field, string>} */
export const LABELS = { name: 'Name', email: 'Email', seats: 'Seats', note: 'Note' };
/** @type {Entry} */
export const EMPTY = { name: '', email: '', seats: '', note: '' };

/** @param {Rng} rng @param {boolean} [noted] @returns {Entry} valid; with text that no two draws share */
export function entry(rng, noted = rng.bool()) {
  return {
    // The blank at the end must be kept too.
    name: `${rng.word(6)} ${rng.pick(['Ümit', 'O\'Neil', '日本', 'B. <i>'])} `,
    email: rng.email(),
    seats: String(rng.int(1, 50)),
    note: noted ? rng.word(12) : '',
  };
}

/** @param {Entry} typed @returns {Record<string, unknown>} the booking that it stands for */
export function bookingOf({ name, email, seats, note }) {
  return { name, email, seats: Number(seats), ...(note === '' ? {} : { note }) };
}

/**
 * A field by its label, else by its place, so that a missing label fails nothing but the labels.
 * @param {Snapshot} dom @param {Field} field @returns {Node | null}
 */
export function fieldOf(dom, field) {
  const controls = dom.all().filter(({ tag, attrs }) => tag === 'textarea' || tag === 'select'
    || (tag === 'input' && !['submit', 'button', 'hidden', 'reset'].includes(attrs.type ?? 'text')));
  return dom.byLabel(LABELS[field]) ?? controls[FIELDS.indexOf(field)] ?? null;
}

/** @param {Snapshot} dom @returns {Node | null} */
export function buttonOf(dom) {
  return dom.byRole('button', { name: 'Book' }) ?? dom.byRole('button');
}

/** @param {Driver} s @param {Partial<Entry>} typed */
export async function fill(s, typed) {
  for (const field of FIELDS) {
    const text = typed[field];
    if (text !== undefined && fieldOf(s.dom, field)?.value !== text) await s.input(fieldOf(s.dom, field), text);
  }
}

/** Clicks the button and waits until the page is quiet. @param {Driver} s @returns {Promise<Snapshot>} */
export async function book(s) {
  await s.click(buttonOf(s.dom));
  await s.settle();
  return s.dom;
}

/** @param {Snapshot} dom @param {Entry} typed @param {readonly Field[]} [fields] @returns {boolean} */
export function shows(dom, typed, fields = FIELDS) {
  return fields.every((field) => fieldOf(dom, field)?.value === typed[field]);
}

/** Marked, and described by more than before. @param {Snapshot} dom @param {Field} field @param {Snapshot} before @returns {boolean} */
export function isDescribed(dom, field, before) {
  const node = fieldOf(dom, field);
  return node !== null && node.invalid && node.description !== '' && node.description !== fieldOf(before, field)?.description;
}

/** @param {Snapshot} dom @param {Field} field @returns {boolean} */
export function isFocused(dom, field) {
  const focused = dom.focused();
  return focused !== null && focused.id === fieldOf(dom, field)?.id;
}

/** @param {Snapshot} dom @param {string} text @returns {boolean} in a live region */
export function announces(dom, text) {
  return dom.all().some((node) => (['status', 'alert'].includes(node.role) || ['polite', 'assertive'].includes(node.attrs['aria-live']))
    && node.text.includes(text));
}

/** @param {Snapshot} dom @param {string} text @returns {boolean} anywhere on the page */
export function mentions(dom, text) {
  return dom.all().some((node) => node.text.includes(text));
}
