// Inputs are a function of the seed and look drawn (security row 23).
import assert from 'node:assert/strict';
import test from 'node:test';
import { Rng } from '../../../graders/verifier/rng.mjs';

const draw = (rng) => [rng.int(0, 1e6), rng.bool(), rng.word(8), rng.text(8), rng.uuid(), rng.email(), [...rng.bytes(8)], rng.shuffle([1, 2, 3, 4, 5])];

test('the same label draws the same, another label something else', () => {
  assert.deepEqual(draw(new Rng('a')), draw(new Rng('a')));
  assert.notDeepEqual(draw(new Rng('a')), draw(new Rng('b')));
});

test('a fork does not depend on what was drawn before', () => {
  const [fresh, used] = [new Rng('a'), new Rng('a')];
  draw(used);
  assert.deepEqual(draw(fresh.fork('x')), draw(used.fork('x')));
  assert.notDeepEqual(draw(fresh.fork('x')), draw(fresh.fork('y')));
});

test('bounds are reached and never passed, values are spread', () => {
  const rng = new Rng('spread');
  const counts = new Map();
  for (let n = 0; n < 6000; n += 1) {
    const value = rng.int(1, 6);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()].sort(), [1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) assert.ok(count > 850 && count < 1150, String(count));
  assert.match(rng.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(rng.email(), /^[a-z]+@[a-z]+\.example$/);
  assert.ok(rng.text(200).isWellFormed());
});

test('fixed values: a change of the generator would change recorded verdicts', () => {
  const rng = new Rng('seed/7');
  assert.deepEqual([rng.int(0, 999), rng.int(0, 999), rng.word(4)], FIXED);
});

const FIXED = [477, 94, 'alng'];
