// Arguments of a caller that goes on working with its object (design section 6, tool-validation).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostile } from '../../../graders/child/hostile.mjs';

const CHANGES = [[['guests', '0', 'email'], 'other'], [['minutes'], 999], [['added'], true], [['absent', 'key'], 1]];

test('a changing argument keeps its value during the call and changes right after it, at every depth', async () => {
  const before = { guests: [{ email: 'one' }], minutes: 30 };
  const value = hostile('changing', [before, CHANGES]);
  assert.deepEqual(value, { guests: [{ email: 'one' }], minutes: 30 });
  await Promise.resolve();
  assert.deepEqual(value, { guests: [{ email: 'other' }], minutes: 999, added: true });
});
