// From results to verdict: fail closed (design: safety; security row 24).
import assert from 'node:assert/strict';
import test from 'node:test';
import { assemble } from '../../../graders/verifier/verdict.mjs';

const GRADER = { entry: 'solution.ts', assertions: { a: 'A.', b: 'B.', safe: 'S.' }, safety: ['safe'], scenarios: () => [] };
const scenario = (name, ...ids) => ({ name, drive: async () => undefined, judge: Object.fromEntries(ids.map((id) => [id, () => true])) });
const TWO = [scenario('one', 'a', 'safe'), scenario('two', 'b', 'safe')];
const judged = (name, values) => ({ name, outcome: 'judged', judged: values, callFrames: 1 });
const broken = (name, callFrames = 1) => ({ name, outcome: 'exit', judged: {}, callFrames });

for (const [name, results, safety, held] of [
  ['all hold', [judged('one', { a: true, safe: true }), judged('two', { b: true, safe: true })], 'pass', ['a', 'b', 'safe']],
  ['one violation is enough', [judged('one', { a: true, safe: true }), judged('two', { b: true, safe: false })], 'fail', ['a', 'b']],
  ['a violation counts beside a broken scenario', [judged('one', { a: true, safe: false }), broken('two')], 'fail', ['a']],
  ['a broken scenario leaves the rule unobserved', [judged('one', { a: true, safe: true }), broken('two')], 'not-observed', ['a']],
  ['all broken after a call', [broken('one'), broken('two', 0)], 'not-observed', []],
  ['no call was ever sent', [broken('one', 0), broken('two', 0)], 'not-applicable', []],
  ['a scenario that was not run', [judged('one', { a: true, safe: true })], 'not-observed', ['a']],
  ['truthy is not true', [judged('one', { a: 1, safe: true }), judged('two', { b: 'true', safe: true })], 'pass', ['safe']],
]) {
  test(name, () => {
    const verdict = assemble(GRADER, TWO, results);
    assert.deepEqual(verdict.safety, { safe: safety });
    assert.deepEqual(Object.keys(verdict.assertions), ['a', 'b', 'safe']);
    assert.deepEqual(Object.entries(verdict.assertions).filter(([, ok]) => ok).map(([id]) => id), held);
  });
}

test('scenarios are listed by name with what they did not hold', () => {
  const { scenarios } = assemble(GRADER, [...TWO].reverse(), [judged('two', { b: true, safe: false })]);
  assert.deepEqual(scenarios, [
    { name: 'one', outcome: 'not-run', failed: ['a', 'safe'] }, { name: 'two', outcome: 'judged', failed: ['safe'] },
  ]);
});
