// Scenarios in which values are valid: a save that takes its time, one that the server refuses, one that fails.
import { same } from '../../verifier/api.mjs';
import { announces, book, bookingOf, buttonOf, EMPTY, entry, fieldOf, FIELDS, fill, isDescribed, isFocused, mentions, shows } from './page.mjs';

/**
 * @typedef {import('../../types').Rng} Rng
 * @typedef {import('../../types').Scenario} Scenario
 * @typedef {import('../../types').Log} Log
 * @typedef {import('./page.mjs').Entry} Entry
 * @typedef {import('./page.mjs').Field} Field
 */

const SAVING = 'Saving…';
const SAVED = 'Saved.';
const NOT_SAVED = 'Not saved. Please try again.';

/** The first save is of the first entry, and every save is of one of them. @param {Log} log @param {Entry[]} entries @returns {boolean} */
function savedOnly(log, entries) {
  const saved = log.calls('save').map(({ args }) => args[0]);
  return same(saved[0], bookingOf(entries[0])) && saved.every((booking) => entries.some((typed) => same(booking, bookingOf(typed))));
}

/** Submits again and again while the first save waits; then a second booking by Enter. @param {Rng} rng @returns {Scenario} */
export function saving(rng) {
  const noted = rng.bool();
  const entries = [entry(rng, noted), entry(rng, !noted)];
  const ways = rng.shuffle(['click', 'enter', 'script', 'twice']);
  const enterIn = rng.pick(/** @type {Field[]} */ (['name', 'email', 'seats']));
  return {
    name: 'saving',
    dom: true,
    judge: {
      'saves-valid-booking': ({ log }) => savedOnly(log, entries),
      'one-save-per-submit': ({ facts }) => facts.whileWaiting === 1,
      'enter-submits': ({ log, facts }) => log.calls('save').length > facts.afterFirst,
      'pending-announced': ({ facts: { waiting, done } }) => announces(waiting, SAVING) && !announces(done, SAVING),
      'success-announced': ({ facts: { opened, waiting, done } }) => announces(done, SAVED)
        && !announces(opened, SAVED) && !announces(waiting, SAVED),
      'cleared-after-success': ({ facts: { done } }) => shows(done, EMPTY),
    },
    async drive(s) {
      /** @type {PromiseWithResolvers<{ ok: true }>} */
      const answer = Promise.withResolvers();
      await s.mount('BookingForm', { onSave: s.fn('save', () => answer.promise) });
      const opened = s.dom;
      await fill(s, entries[0]);
      await s.click(buttonOf(s.dom));
      await s.until(() => s.log.calls('save').length > 0);
      await s.rerender({ onSave: s.fn('save', () => answer.promise) });
      const waiting = s.dom;
      for (const way of ways) {
        if (way === 'enter') await s.key(fieldOf(s.dom, 'email'), 'Enter');
        else if (way === 'script') await s.submit(s.dom.all().find(({ tag }) => tag === 'form') ?? null);
        else await Promise.all(Array.from({ length: way === 'twice' ? 2 : 1 }, () => s.click(buttonOf(s.dom))));
      }
      await s.wait(30);
      const whileWaiting = s.log.calls('save').length;
      answer.resolve({ ok: true });
      await s.settle();
      const done = s.dom;
      await fill(s, entries[1]);
      const afterFirst = s.log.calls('save').length;
      await s.key(fieldOf(s.dom, enterIn), 'Enter');
      await s.settle();
      return { opened, waiting, done, whileWaiting, afterFirst };
    },
  };
}

/** @param {Rng} rng @returns {{ field: Field, issue: Record<string, unknown>, message: string }[]} two fields, the later one first */
function fieldIssues(rng) {
  const drawn = rng.shuffle(FIELDS).slice(0, 2).sort((a, b) => FIELDS.indexOf(b) - FIELDS.indexOf(a));
  return drawn.map((field) => {
    const message = `server ${rng.word(10)}`;
    return { field, message, issue: { path: `/${field}`, keyword: 'server', message } };
  });
}

/** The server refuses two fields, then the booking as a whole, then accepts. @param {Rng} rng @returns {Scenario} */
export function refused(rng) {
  const issues = fieldIssues(rng);
  const whole = rng.shuffle(['', '/event']).map((path) => ({ path, keyword: 'server', message: `server ${rng.word(12)}` }));
  const [typed, again] = [entry(rng), entry(rng)];
  const fields = issues.map(({ field }) => field);
  const delay = rng.int(5, 20);
  const shown = (/** @type {any} */ dom) => issues.every(({ message }) => mentions(dom, message));
  return {
    name: 'refused-by-server',
    dom: true,
    judge: {
      'server-issues-shown': ({ facts }) => shown(facts.first),
      // Of what is shown at all: a message that is missing is the business of the assertion above.
      'errors-described': ({ facts: { opened, first } }) => !shown(first) || FIELDS.every((field) => {
        const issue = issues.find((each) => each.field === field);
        if (!issue) return fieldOf(first, field)?.invalid === false;
        return isDescribed(first, field, opened) && fieldOf(first, field)?.description.includes(issue.message) === true;
      }),
      'focus-first-invalid': ({ facts }) => !shown(facts.first) || isFocused(facts.first, fields[1]),
      'edit-clears-error': ({ facts }) => fieldOf(facts.edited, fields[1])?.invalid === false,
      'values-kept': ({ facts }) => shows(facts.first, typed) && shows(facts.second, again),
      'server-form-issue-shown': ({ facts }) => whole.every(({ message }) => announces(facts.second, message)),
      'success-announced': ({ facts }) => !announces(facts.first, SAVED) && !announces(facts.second, SAVED),
    },
    async drive(s) {
      const answers = [{ ok: false, issues: issues.map(({ issue }) => issue) }, { ok: false, issues: whole }];
      await s.mount('BookingForm', { onSave: s.fn('save', async () => answers.shift() ?? { ok: true }, { delay }) });
      const opened = s.dom;
      await fill(s, typed);
      const first = await book(s);
      await fill(s, { [fields[1]]: again[fields[1]] === typed[fields[1]] ? '7' : again[fields[1]] });
      const edited = s.dom;
      await fill(s, again);
      return { opened, first, edited, second: await book(s) };
    },
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function failing(rng) {
  const typed = entry(rng);
  const secret = rng.word(14);
  const delay = rng.int(5, 20);
  return {
    name: 'failing-save',
    dom: true,
    judge: {
      'failure-announced': ({ facts }) => announces(facts.failed, NOT_SAVED)
        && !mentions(facts.failed, secret) && !announces(facts.opened, NOT_SAVED),
      'values-kept': ({ facts }) => shows(facts.failed, typed),
      'success-announced': ({ facts }) => !announces(facts.failed, SAVED),
      'failure-can-be-retried': ({ log, facts }) => log.calls('save').length > facts.before,
    },
    async drive(s) {
      let calls = 0;
      await s.mount('BookingForm', {
        onSave: s.fn('save', async () => {
          calls += 1;
          if (calls === 1) throw new Error(secret);
          return { ok: true };
        }, { delay }),
      });
      const opened = s.dom;
      await fill(s, typed);
      const failed = await book(s);
      await fill(s, typed);
      const before = s.log.calls('save').length;
      await book(s);
      return { opened, failed, before };
    },
  };
}
