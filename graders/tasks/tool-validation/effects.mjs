// What reaches the calendar: the meeting itself, also when calls overlap, the caller goes on writing, or the signal fires.
import { same } from '../../verifier/api.mjs';
import { bare, booking, callEach, failedWith, full, guest, isBooked, isRefused, openTool } from './meetings.mjs';

/** @typedef {import('../../types').Rng} Rng @typedef {import('../../types').Scenario} Scenario @typedef {import('../../types').Log} Log @typedef {import('../../types').CallResult} CallResult */
/** @typedef {import('./meetings.mjs').Meeting} Meeting */

/** @param {Log} log @returns {unknown[]} */
function booked(log) {
  return log.calls('book').map(({ args }) => args[0]);
}

/** @param {Log} log @returns {unknown[]} */
function asked(log) {
  return log.calls('seats').map(({ args }) => args[0]);
}

/** @param {Rng} rng @returns {Scenario} */
export function valid(rng) {
  const inputs = rng.shuffle([full(rng), bare(rng), full(rng), { ...bare(rng), title: rng.text(8) }]);
  const outputs = inputs.map(() => booking(rng));
  const observed = [full(rng), { ...full(rng), minutes: 7 }, { ...bare(rng), guests: [guest(rng, 1), guest(rng, 0)] }];
  return {
    name: 'valid',
    judge: {
      'books-valid-meeting': ({ log, facts }) => outputs.every((output, at) => isBooked(facts.results[at], output))
        && log.calls('book').length === inputs.length && same(asked(log), inputs.map(({ room }) => room)),
      'books-exact-value': ({ log }) => same(booked(log), inputs),
      'input-unchanged': ({ facts }) => same(facts.after, observed.map((input) => [input, input])),
    },
    async drive(s) {
      const left = [...outputs];
      const results = await callEach(await openTool(s, { book: () => left.shift() }), inputs);
      const other = await openTool(s, { suffix: '-observed' });
      const after = [];
      for (const input of observed) {
        const { argsAtReturn, argsAfter } = await other.observe(input);
        after.push([argsAtReturn[0], argsAfter[0]]);
      }
      return { results, after };
    },
  };
}

/** Two calls at once; the answers about their rooms arrive in the other order. @param {Rng} rng @returns {Scenario} */
export function overlapping(rng) {
  const inputs = [full(rng), bare(rng)];
  const later = Promise.withResolvers();
  return {
    name: 'overlapping',
    judge: { 'books-exact-value': ({ log }) => same(booked(log), [...inputs].reverse()) },
    async drive(s) {
      const call = await openTool(s, { seats: async (room) => (room === inputs[0].room ? later.promise : 20) });
      const first = call(inputs[0]);
      const second = await call(inputs[1]);
      later.resolve(20);
      return [await first, second];
    },
  };
}

/** @param {Rng} rng @returns {{ input: Meeting, changes: [string[], unknown][] }[]} what the caller writes into its object right after the call */
function changes(rng) {
  const other = full(rng);
  return rng.shuffle([
    { input: full(rng), changes: [[['room'], other.room], [['minutes'], 480], [['title'], other.title]] },
    { input: bare(rng), changes: [[['title'], other.title], [['equipment'], other.equipment], [[rng.word(5)], true]] },
    { input: full(rng), changes: [[['guests', '0', 'email'], rng.email()], [['guests', '1', 'name'], '']] },
    { input: bare(rng), changes: [[['guests', '2'], guest(rng, 9)], [['guests', 'length'], 1]] },
    { input: full(rng), changes: [[['equipment', rng.word(5)], 1], [['start'], other.start]] },
    { input: { ...full(rng), guests: [guest(rng, 0), guest(rng, 1), guest(rng, 2)] }, changes: [[['guests', '1'], null], [['minutes'], '15']] },
  ]);
}

/** @param {Rng} rng @returns {Scenario} */
export function changing(rng) {
  const cases = changes(rng);
  const repaired = { input: { ...bare(rng), minutes: 10 }, changes: [[['minutes'], 30]] };
  return {
    name: 'changing',
    judge: {
      'books-value-as-called': ({ log, facts }) => same(booked(log), cases.map(({ input }) => input))
        && asked(log).every((room) => cases.some(({ input }) => room === input.room)) && isRefused(facts),
    },
    async drive(s) {
      const call = await openTool(s);
      for (const { input, changes: list } of cases) await call(s.hostile('changing', input, list));
      return call(s.hostile('changing', repaired.input, repaired.changes));
    },
  };
}

/** Fires while the calendar looks up the room; then a call with the signal that has fired. @param {Rng} rng @returns {Scenario} */
export function aborted(rng) {
  const [waiting, late] = [full(rng), bare(rng)];
  const answer = Promise.withResolvers();
  const reason = rng.bool() ? new Error(rng.word(6)) : undefined;
  return {
    name: 'aborted',
    judge: {
      'reports-abort': ({ log, facts }) => failedWith(facts.during, 'aborted') && failedWith(facts.before, 'aborted') && same(asked(log), [waiting.room]),
      'no-booking-after-abort': ({ log, facts }) => !log.calls('book').some((call) => log.sentAfter(call, facts.fired)),
    },
    async drive(s) {
      const call = await openTool(s, { seats: () => answer.promise });
      const signal = s.signal();
      const first = call(waiting, { signal });
      s.need(await s.until(() => s.log.calls('seats').length === 1));
      const fired = s.abort(signal, reason);
      await s.wait(20);
      answer.resolve(20);
      return { fired, during: await first, before: await call(late, { signal }) };
    },
  };
}
