// Roles, names and descriptions from a tree as the child sends it (security.md 3.10).
import assert from 'node:assert/strict';
import test from 'node:test';
import { ValueError } from '../../../graders/child/values.mjs';
import { Snapshot } from '../../../graders/verifier/snapshot.mjs';

let next = 0;
/** One wire node; `state` is value, checked, focused. */
const h = (tag, attrs = {}, ...children) => [next++, tag, Object.entries(attrs), [tag === 'input' ? '' : null, null, false], children];
const page = (...children) => new Snapshot(h('body', {}, ...children));

test('a control is named by its label, in each spelling', () => {
  const dom = page(
    h('label', { for: 'a' }, 'First ', h('span', { 'aria-hidden': 'true' }, '*'), ' name'), h('input', { id: 'a' }),
    h('label', {}, 'Age', h('input', { type: 'number' })),
    h('input', { 'aria-label': 'Street' }),
    h('span', { id: 'x' }, 'Home'), h('span', { id: 'y' }, 'town'), h('input', { 'aria-labelledby': 'x y' }),
    h('label', {}, 'Kind ', h('select', {}, h('option', {}, 'one'))),
    h('label', { for: 'nowhere' }, 'Lost'),
  );
  for (const [name, role] of [['First name', 'textbox'], ['Age', 'spinbutton'], ['Street', 'textbox'], ['Home town', 'textbox'], ['Kind', 'combobox']]) {
    assert.equal(dom.byLabel(name)?.role, role, name);
    assert.equal(dom.byRole(role, { name })?.name, name);
  }
  assert.equal(dom.byLabel('Lost'), null);
  assert.equal(dom.byLabel('first NAME')?.id, dom.byLabel(/^First/)?.id);
});

test('a label names the field it points at and no other', () => {
  const dom = page(h('label', { for: 'b' }, 'B', h('input', { id: 'a' })), h('input', { id: 'b' }));
  assert.equal(dom.byLabel('B')?.attrs.id, 'b');
  assert.equal(dom.allByLabel('B').length, 1);
});

test('a placeholder names only what nothing else names, text near a field does not', () => {
  const dom = page(h('p', {}, 'Email'), h('input', { placeholder: 'you@example' }));
  assert.equal(dom.byLabel('Email'), null);
  assert.equal(dom.byRole('textbox')?.name, 'you@example');
});

test('descriptions: described-by always, the error message of an invalid field', () => {
  const dom = page(
    h('input', { 'aria-label': 'a', 'aria-describedby': 'hint err', 'aria-invalid': 'true', 'aria-errormessage': 'msg' }),
    h('input', { 'aria-label': 'b', 'aria-errormessage': 'msg', 'aria-invalid': 'false' }),
    h('p', { id: 'hint' }, 'Hint.'), h('p', { id: 'err' }, 'Wrong.'), h('p', { id: 'msg' }, 'Message.'),
  );
  assert.equal(dom.byLabel('a')?.description, 'Hint. Wrong. Message.');
  assert.deepEqual([dom.byLabel('a')?.invalid, dom.byLabel('b')?.invalid, dom.byLabel('b')?.description], [true, false, '']);
});

test('groups, buttons, headings and links are named as HTML says', () => {
  const dom = page(
    h('fieldset', {}, h('legend', {}, 'Address'), h('input')), h('button', {}, h('b', {}, 'Save'), ' now'),
    h('input', { type: 'submit' }), h('input', { type: 'submit', value: 'Go' }), h('h2', {}, 'Title'), h('a', { href: '/' }, 'Home'),
    h('a', {}, 'No link'), h('div', { role: 'button', 'aria-label': 'Close' }, 'x'),
  );
  assert.equal(dom.byRole('group')?.name, 'Address');
  assert.deepEqual(dom.allByRole('button').map(({ name }) => name), ['Save now', 'Submit', 'Go', 'Close']);
  assert.equal(dom.byRole('heading', { name: 'Title' })?.tag, 'h2');
  assert.deepEqual(dom.allByRole('link').map(({ name }) => name), ['Home']);
});

test('what is hidden is not found, and hides what is inside', () => {
  const hidden = [{ hidden: '' }, { 'aria-hidden': 'true' }, { style: 'display: none' }, { style: 'color:red; visibility:hidden' }];
  const dom = page(...hidden.map((attrs) => h('div', attrs, h('button', {}, 'Save'), h('p', { role: 'alert' }, 'Bad'))), h('input', { type: 'hidden', 'aria-label': 'x' }));
  assert.deepEqual([dom.allByRole('button').length, dom.alerts().length, dom.byText('Bad'), dom.byLabel('x')], [0, 0, null, null]);
});

test('a fieldset disables its controls but not those in its legend', () => {
  const dom = page(h('fieldset', { disabled: '' }, h('legend', {}, h('input', { 'aria-label': 'a' })), h('div', {}, h('input', { 'aria-label': 'b' }))), h('button', { disabled: '' }, 'c'), h('button', { 'aria-disabled': 'true' }, 'd'));
  assert.deepEqual(['a', 'b'].map((name) => dom.byLabel(name)?.disabled), [false, true]);
  assert.deepEqual(dom.allByRole('button').map(({ disabled }) => disabled), [true, true]);
});

test('live regions count when they say something', () => {
  const dom = page(h('p', { role: 'alert' }), h('p', { role: 'alert' }, 'Bad'), h('div', { 'aria-live': 'polite' }, h('b', {}, 'Saved')), h('p', {}, 'Quiet'));
  assert.deepEqual(dom.alerts().map(({ text }) => text), ['Bad', 'Saved']);
});

test('text is found at the innermost element', () => {
  const dom = page(h('div', {}, h('p', {}, 'Hello  ', h('b', {}, 'world'))));
  assert.deepEqual([dom.byText('hello world')?.tag, dom.byText(/^world$/)?.tag, dom.byText('nobody')], ['p', 'b', null]);
});

test('nodes keep their number between pictures', () => {
  const wire = h('body', {}, h('input', { id: 'a' }));
  const [first, second] = [new Snapshot(wire), new Snapshot(structuredClone(wire))];
  assert.equal(second.current(first.all()[1])?.attrs.id, 'a');
  assert.equal(second.current(null), null);
});

const deep = (n) => (n === 0 ? h('i') : h('div', {}, deep(n - 1)));
for (const [name, wire] of Object.entries({
  'no list': 'x', 'too short': [1, 'p', []], 'a number twice': [1, 'p', [], [null, null, false], [[1, 'b', [], [null, null, false], []]]],
  'a numeric attribute': [1, 'p', [['a', 1]], [null, null, false], []], 'a value that is no text': [1, 'p', [], [3, null, false], []],
  'too deep': deep(45), 'too many': h('body', {}, ...Array.from({ length: 2001 }, () => h('i'))), 'a child that is no node': [1, 'p', [], [null, null, false], [null]],
})) {
  test(`refused: ${name}`, () => assert.throws(() => new Snapshot(wire), ValueError));
}
