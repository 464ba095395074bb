// The protocol alone, with hand-made frames in place of a child (R-K3, security rows 10 and 20).
import assert from 'node:assert/strict';
import test from 'node:test';
import { Driver } from '../../../graders/verifier/driver.mjs';
import { LIMITS } from '../../../graders/verifier/limits.mjs';
import { Rng } from '../../../graders/verifier/rng.mjs';
import { Broken, Session } from '../../../graders/verifier/session.mjs';

function opened() {
  const session = new Session(() => undefined);
  const sent = [];
  session.transmit = (frame) => sent.push(frame);
  return { session, sent, s: new Driver(session, new Rng('t')) };
}

test('an answer is taken once; the second one breaks the scenario', async () => {
  const { session, sent, s } = opened();
  const call = s.call('f');
  const [, token, id] = sent[0];
  session.receive(['res', token, id, true, 'return', 1, []]);
  assert.deepEqual((await call).value, 1);
  session.receive(['res', token, id, true, 'return', 2, []]);
  assert.equal(session.outcome, 'violation');
});

for (const [name, make] of Object.entries({
  'a guessed id': ([, token]) => ['res', token, 'f'.repeat(24), true, 'return', 1, []],
  'the wrong kind of answer': ([, token, id]) => ['pong', token, id],
  'a token that was never sent': ([, , id]) => ['res', 'f'.repeat(24), id, true, 'return', 1, []],
  'no token': ([, , id]) => ['res', null, id, true, 'return', 1, []],
  'an inherited key': ([, token]) => ['res', token, '__proto__', true, 'return', 1, []],
  'an unknown kind': ([, token, id]) => ['done', token, id],
  'a callback of no handle': ([, token]) => ['cb', token, 'c1', 'h7', []],
  'a callback id that is no text': ([, token]) => ['cb', token, 1, 'h0', []],
  'a callback without a list': ([, token]) => ['cb', token, 'c1', 'h0', 'x'],
  'a callback with more': ([, token]) => ['cb', token, 'c1', 'h0', [], 'x'],
})) {
  test(`violation: ${name}`, () => {
    const { session, sent, s } = opened();
    s.fn('f', () => undefined);
    void s.call('f');
    session.receive(make(sent[0]));
    assert.equal(session.outcome, 'violation');
  });
}

for (const [name, rest] of Object.entries({
  'no boolean': ['yes', 'return', 1, []], 'an unknown way': [true, 'magic', 1, []], 'no kept list': [true, 'return', 1, null], 'an untagged value': [true, 'return', {}, []],
})) {
  test(`violation in a result: ${name}`, async () => {
    const { session, sent, s } = opened();
    const call = s.call('f');
    session.receive(['res', sent[0][1], sent[0][2], ...rest]);
    await assert.rejects(call, Broken);
    assert.equal(session.outcome, 'violation');
  });
}

test('knowledge cannot be taken back: an older token after a newer one breaks the scenario', () => {
  const { session, sent, s } = opened();
  s.fn('f', () => undefined);
  void s.call('a');
  void s.call('b');
  session.receive(['cb', sent[1][1], 'c1', 'h0', []]);
  session.receive(['cb', sent[0][1], 'c2', 'h0', []]);
  assert.equal(session.outcome, 'violation');
});

test('sentAfter sees what the child had received, not the order of arrival', async () => {
  const { session, sent, s } = opened();
  s.fn('approve', () => true);
  s.fn('put', () => undefined);
  void s.call('f');
  const before = sent[0][1];
  session.receive(['cb', before, 'c1', 'h0', []]);
  await s.until(() => s.log.calls('approve')[0].reply !== null);
  session.receive(['cb', before, 'c2', 'h1', []]);
  session.receive(['cb', sent[1][1], 'c3', 'h1', []]);
  const [ask] = s.log.calls('approve');
  assert.deepEqual(s.log.calls('put').map((put) => s.log.sentAfter(put, ask.reply)), [false, true]);
});

test('after the close nothing counts and nothing is answered', async () => {
  const { session, sent, s } = opened();
  s.fn('f', () => 1);
  void s.call('a');
  session.close();
  session.receive(['cb', sent[0][1], 'c1', 'h0', []]);
  await new Promise(setImmediate);
  assert.deepEqual([session.log.calls('f').length, sent.length, session.outcome], [0, 1, null]);
  assert.throws(() => session.send('ping'), Broken);
});

test('a callback that throws is a rejection with its code', async () => {
  const { session, sent, s } = opened();
  s.fn('f', () => { throw Object.assign(new Error('busy'), { code: 'EBUSY' }); });
  void s.call('a');
  session.receive(['cb', sent[0][1], 'c1', 'h0', []]);
  await s.until(() => s.log.calls('f')[0].reply !== null);
  assert.deepEqual(sent[1].toSpliced(1, 1), ['cbr', 'c1', false, ['e', 'Error', 'busy', 'Error', [['code', 'EBUSY']]]]);
});

test('a call without an answer ends at its deadline', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { session, s } = opened();
  const call = s.call('f');
  context.mock.timers.tick(LIMITS.callMs + 1);
  await assert.rejects(call, Broken);
  assert.equal(session.outcome, 'timeout');
});
