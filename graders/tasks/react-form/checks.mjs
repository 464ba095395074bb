// The scenario in which nothing may be saved: the form as it opens, values that are only typed, submits with invalid values.
import { book, EMPTY, entry, fieldOf, FIELDS, fill, isDescribed, isFocused, LABELS, shows } from './page.mjs';

/**
 * @typedef {import('../../types').Rng} Rng
 * @typedef {import('../../types').Scenario} Scenario
 * @typedef {import('../../types').Driver} Driver
 * @typedef {import('../../types').Snapshot} Snapshot
 * @typedef {import('./page.mjs').Field} Field
 * @typedef {import('./page.mjs').Entry} Entry
 * @typedef {{ typed: Entry, bad: Field[], fixed: Entry }} Round
 */

/** @param {Rng} rng @returns {Entry} plainly invalid in every field */
function badEntry(rng) {
  return { name: '', email: rng.pick([rng.word(8), `${rng.word(4)}@`]), seats: rng.pick(['', '0', '51']), note: rng.word(201) };
}

/** Three submits; the name is invalid in one of them only, so the first invalid field differs. @param {Rng} rng @returns {Round[]} */
function rounds(rng) {
  const [one, two, three] = rng.shuffle(/** @type {Field[]} */ (['email', 'seats', 'note']));
  /** @type {Field[][]} */
  const plans = rng.shuffle([[one, two], ['name', rng.pick([one, two])], [three]]);
  return plans.map((plan) => {
    const [fixed, wrong] = [entry(rng), badEntry(rng)];
    const bad = FIELDS.filter((field) => plan.includes(field));
    return { bad, fixed, typed: { ...fixed, ...Object.fromEntries(bad.map((field) => [field, wrong[field]])) } };
  });
}

/** Values that a lenient conversion or a forgotten rule lets through. @param {Rng} rng @returns {Entry[]} */
function trickyEntries(rng) {
  const cut = `${rng.int(1, 9)}x`;
  const others = rng.shuffle([`${rng.int(1, 48)}.5`, `-${rng.int(1, 9)}`, 'NaN', '4,5', '1_0']).slice(0, 1);
  return rng.shuffle([
    ...[cut, '0x1F', ...others].map((text) => ({ ...entry(rng), seats: text })),
    { ...entry(rng), name: '  \t ' },
    { ...entry(rng), name: rng.word(61) },
    { ...entry(rng), email: `${rng.word(4)} ${rng.email()}` },
  ]);
}

/** Submits and counts the saves that come of it: a save while typing is another fault. @param {Driver} s */
async function tryToBook(s) {
  const before = s.log.calls('save').length;
  const after = await book(s);
  return { after, saves: s.log.calls('save').length - before };
}

/** @param {Driver} s @param {Entry} typed */
async function justType(s, typed) {
  const opened = s.dom;
  await fill(s, typed);
  const filled = s.dom;
  await s.blur(fieldOf(s.dom, 'note'));
  await s.settle();
  return { opened, filled, savedEarly: s.log.calls('save').length };
}

/** @param {Driver} s @param {Round[]} plan */
async function playRounds(s, plan) {
  const seen = [];
  for (const { typed, bad, fixed } of plan) {
    await fill(s, typed);
    const { after, saves } = await tryToBook(s);
    await fill(s, { [bad[0]]: fixed[bad[0]] });
    seen.push({ after, saves, edited: s.dom });
  }
  return seen;
}

/** @param {Rng} rng @returns {Scenario} */
export function checking(rng) {
  const [onlyTyped, plan, tricks] = [entry(rng, true), rounds(rng), trickyEntries(rng)];
  /**
   * @param {(round: Round, seen: { after: Snapshot, edited: Snapshot }, opened: Snapshot) => boolean} holds
   * @returns {import('../../types').Judge}
   */
  const inEachRound = (holds) => ({ facts }) => plan.every((round, at) => holds(round, facts.seen[at], facts.opened));
  return {
    name: 'checking',
    dom: true,
    judge: {
      'fields-labelled': ({ facts: { opened, filled } }) => FIELDS.every((field) => opened.allByLabel(LABELS[field]).length === 1)
        && opened.byLabel(LABELS.note).tag === 'textarea' && opened.allByRole('button', { name: 'Book' }).length === 1
        && shows(opened, EMPTY) && shows(filled, onlyTyped),
      'saves-only-on-submit': ({ facts }) => facts.savedEarly === 0,
      'errors-described': inEachRound(({ bad }, { after }, opened) => FIELDS.every((field) => (bad.includes(field)
        ? isDescribed(after, field, opened) : fieldOf(after, field)?.invalid === false))),
      'focus-first-invalid': inEachRound(({ bad }, { after }) => isFocused(after, bad[0])),
      'edit-clears-error': inEachRound(({ bad }, { edited }) => fieldOf(edited, bad[0])?.invalid === false),
      'values-kept': inEachRound(({ typed }, { after }) => shows(after, typed)),
      'invalid-never-saved': ({ facts }) => [...facts.seen, ...facts.tricked].every(({ saves }) => saves === 0),
    },
    async drive(s) {
      await s.mount('BookingForm', { onSave: s.fn('save', async () => ({ ok: true })) });
      const typing = await justType(s, onlyTyped);
      const seen = await playRounds(s, plan);
      const tricked = [];
      for (const typed of tricks) {
        await fill(s, typed);
        tricked.push(await tryToBook(s));
      }
      return { ...typing, seen, tricked };
    },
  };
}
