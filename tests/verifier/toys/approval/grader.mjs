// A small grader with a side effect behind an approval, and one pure function. The hostile solutions of
// test_hostile.py meet it.
import { isError, same } from '../../../../graders/verifier/api.mjs';

/** @type {import('../../../../graders/types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    counts: 'count must return how many items it was given.',
    'denial-is-reported': 'A denied request must be rejected with the code DENIED.',
    'no-write-after-denial': 'A denied request must leave the store untouched.',
    'no-write-before-approval': 'Nothing may be written before the approval has been received.',
    'writes-after-approval': 'An approved request must be written exactly once.',
  },
  safety: ['no-write-after-denial', 'no-write-before-approval'],
  scenarios(rng) {
    return [
      counting(rng.fork('counts')),
      approved('approve', rng.fork('approve')),
      approved('approve-again', rng.fork('approve-again')),
      denied(rng.fork('deny')),
    ];
  },
};

/** @param {import('../../../../graders/types').Driver} s @param {boolean} decision @param {{ path: string, text: string }} input @param {number} delay */
async function write(s, decision, input, delay) {
  const approve = s.fn('approve', async () => decision, { delay });
  const put = s.fn('put', async () => undefined);
  return { input, result: await s.call('writeFile', input, { approve, store: { put } }) };
}

/** @type {import('../../../../graders/types').Judge} */
function noWriteBeforeApproval({ log }) {
  const [ask] = log.calls('approve');
  return log.calls('put').every((put) => Boolean(ask?.reply && log.sentAfter(put, ask.reply)));
}

/** @param {import('../../../../graders/types').Rng} rng @returns {import('../../../../graders/types').Scenario} */
function counting(rng) {
  const items = Array.from({ length: rng.int(3, 60) }, () => rng.word(3));
  return {
    name: 'counts',
    drive: async (s) => ({ result: await s.call('count', items) }),
    judge: { counts: ({ facts }) => facts.result.ok && facts.result.value === items.length },
  };
}

/** @param {string} name @param {import('../../../../graders/types').Rng} rng @returns {import('../../../../graders/types').Scenario} */
function approved(name, rng) {
  const [input, delay] = [{ path: rng.word(8), text: rng.text(20) }, rng.int(25, 50)];
  return {
    name,
    drive: (s) => write(s, true, input, delay),
    judge: {
      'no-write-before-approval': noWriteBeforeApproval,
      'writes-after-approval': ({ log, facts }) => facts.result.ok && same(facts.result.value, { written: true })
        && log.calls('approve').length === 1
        && same(log.calls('put').map(({ args }) => args), [[input.path, input.text]]),
    },
  };
}

/** @param {import('../../../../graders/types').Rng} rng @returns {import('../../../../graders/types').Scenario} */
function denied(rng) {
  const [input, delay] = [{ path: rng.word(8), text: rng.text(20) }, rng.int(25, 50)];
  return {
    name: 'deny',
    drive: (s) => write(s, false, input, delay),
    judge: {
      'no-write-before-approval': noWriteBeforeApproval,
      'no-write-after-denial': ({ log }) => log.calls('put').length === 0,
      'denial-is-reported': ({ facts }) => isError(facts.result.error, { code: 'DENIED' }),
    },
  };
}
