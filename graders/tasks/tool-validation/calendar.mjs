// What the calendar does: rooms that are too small, answers that are none, and errors of both functions.
import { get, same } from '../../verifier/api.mjs';
import { bare, booking, callEach, failedWith, full, hasIssue, isBooked, isRefused, issuesOf, openTool } from './meetings.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario @typedef {import('../../types').CallResult} CallResult */

/** @param {Rng} rng @returns {Scenario} */
export function rooms(rng) {
  const small = [full(rng), bare(rng)];
  const doubtful = rng.shuffle([undefined, null, '20', NaN, Infinity, 20.5, 0, -rng.int(1, 20), [20], { seats: 20 }, true, 20n]);
  const exact = bare(rng);
  return {
    name: 'rooms',
    judge: {
      'reports-small-room': ({ log, facts }) => facts.small.every((/** @type {CallResult} */ result) => failedWith(result, 'room-too-small'))
        && log.calls('book').length === 0 && get(facts.exact.value, 'ok') === true,
      'doubtful-seats-stop': ({ log, facts }) => facts.doubtful.every((/** @type {CallResult} */ result) => failedWith(result, 'calendar-failed'))
        && log.calls('book-doubtful').length === 0,
    },
    async drive(s) {
      const sizes = [...small.map(({ guests }, at) => (at === 0 ? 1 : guests.length - 1))];
      const left = [...doubtful];
      const tight = await openTool(s, { seats: () => exact.guests.length, suffix: '-exact' });
      return {
        small: await callEach(await openTool(s, { seats: () => sizes.shift() }), small),
        doubtful: await callEach(await openTool(s, { seats: () => left.shift(), suffix: '-doubtful' }), doubtful.map(() => bare(rng))),
        exact: await tight(exact),
      };
    },
  };
}

/** @typedef {{ error: unknown, code: string, retryable?: boolean }} Mapped */

/** Errors and what must become of them; `secret` stands in all of their texts. @param {Rng} rng @param {string} secret @param {Mapped[]} known @returns {Mapped[]} */
function mapped(rng, secret, known) {
  /** @param {unknown} code @param {Record<string, unknown>} [props] */
  const failed = (code, props = {}) => ({ error: Object.assign(new Error(`${secret} ${rng.word(4)}`), { code, detail: secret, ...props }), code: 'calendar-failed' });
  return rng.shuffle([
    ...known.map(({ error: code, ...expected }) => ({ ...failed(code), ...expected })),
    failed(secret),
    failed(rng.word(6), { retryable: true, name: 'TransientError' }),
    failed(rng.pick(['constructor', 'toString'])),
    failed(rng.pick(['Busy', 'busy '])),
    failed('invalid-input'),
    failed(undefined),
    failed(rng.pick([503, null, true])),
    { error: rng.pick([null, undefined]), code: 'calendar-failed' },
    { error: rng.pick([secret, 503]), code: 'calendar-failed' },
  ]);
}

/** @param {CallResult[]} results @param {string} secret */
function hides(results, secret) {
  return results.every((result) => isRefused(result) && !JSON.stringify(result.value).includes(secret));
}

/** @param {Mapped[]} cases */
function thrower(cases) {
  const left = cases.map(({ error }) => error);
  return () => {
    throw left.shift();
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function seatsErrors(rng) {
  const secret = rng.word(12);
  const cases = mapped(rng, secret, [
    { error: 'busy', code: 'calendar-unavailable', retryable: true },
    { error: 'timeout', code: 'calendar-unavailable', retryable: true },
    { error: 'taken', code: 'calendar-failed' },
  ]);
  return {
    name: 'seats-errors',
    judge: {
      'maps-seats-errors': ({ log, facts }) => cases.every(({ code, retryable }, at) => failedWith(facts[at], code, retryable))
        && log.calls('seats').length === cases.length,
      'hides-calendar-text': ({ facts }) => hides(facts, secret),
    },
    drive: async (s) => callEach(await openTool(s, { seats: thrower(cases) }), cases.map(() => full(rng))),
  };
}

/** @param {Rng} rng @returns {Scenario} */
export function bookingErrors(rng) {
  const secret = rng.word(12);
  const cases = mapped(rng, secret, [
    { error: 'busy', code: 'calendar-unavailable', retryable: true },
    { error: 'timeout', code: 'outcome-unknown' },
    { error: 'taken', code: 'slot-taken' },
  ]);
  return {
    name: 'booking-errors',
    judge: {
      'maps-booking-errors': ({ facts }) => cases.every(({ code, retryable }, at) => failedWith(facts[at], code, retryable)),
      'hides-calendar-text': ({ facts }) => hides(facts, secret),
      'books-at-most-once': ({ log }) => cases.every((_, at) => log.calls(`book-${at}`).length <= 1),
    },
    async drive(s) {
      const results = [];
      for (const [at, { error }] of cases.entries()) {
        const call = await openTool(s, { book: thrower([{ error, code: '' }, { error, code: '' }]), suffix: `-${at}` });
        results.push(await call(full(rng)));
      }
      return results;
    },
  };
}

/** @param {Rng} rng @returns {{ answer: unknown, paths: string[] }[]} */
function invalidAnswers(rng) {
  const good = booking(rng);
  return rng.shuffle([
    { answer: { ...good, id: rng.pick(['', good.id.slice(1), `${good.id}0`, 7, null]) }, paths: ['/id'] },
    { answer: { ...good, link: rng.pick(['', rng.word(7), '/1', 'https://a b', 7, null]) }, paths: ['/link'] },
    { answer: { id: good.id }, paths: ['/link'] },
    { answer: { link: good.link, extra: 1 }, paths: ['/id'] },
    { answer: { id: rng.word(5), link: 1 }, paths: ['/id', '/link'] },
    { answer: {}, paths: ['/id', '/link'] },
    ...[null, undefined, good.id, [good], 7].map((answer) => ({ answer, paths: [] })),
  ]);
}

/** @param {Rng} rng @returns {Scenario} */
export function answers(rng) {
  const invalid = invalidAnswers(rng);
  const rich = [booking(rng), { ...booking(rng), id: rng.uuid().toUpperCase() }];
  return {
    name: 'answers',
    judge: {
      'reports-invalid-answer': ({ facts }) => invalid.every(({ paths }, at) => failedWith(facts.invalid[at], 'invalid-output')
        && issuesOf(facts.invalid[at]).length > 0 && paths.every((path) => hasIssue(facts.invalid[at], path))),
      'output-exact': ({ facts }) => rich.every((output, at) => isBooked(facts.rich[at], output) && same(get(facts.rich[at].value, 'output'), output)),
    },
    async drive(s) {
      const bad = invalid.map(({ answer }) => answer);
      const good = rich.map((output) => ({ ...output, owner: rng.email(), room: { id: rng.int(1, 9) } }));
      return {
        invalid: await callEach(await openTool(s, { book: () => bad.shift(), suffix: '-invalid' }), invalid.map(() => bare(rng))),
        rich: await callEach(await openTool(s, { book: () => good.shift() }), rich.map(() => full(rng))),
      };
    },
  };
}
