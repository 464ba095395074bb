// A form with one labelled field, an error described to assistive technology, and a save that takes a while.
import { same } from '../../../../graders/verifier/api.mjs';

/** @type {import('../../../../graders/types').Grader} */
export const grader = {
  entry: 'solution.tsx',
  assertions: {
    'describes-error': 'The error of a field must be its accessible description and be announced.',
    'focuses-invalid': 'After a failed submit the invalid field must have the focus.',
    'keyboard-submit': 'Enter in the field must submit the form.',
    'labels-field': 'The field must have its label as accessible name.',
    'pending-state': 'The button must be disabled while a save is running.',
    'saves-once': 'A submit saves valid data exactly once and invalid data never.',
  },
  safety: ['saves-once'],
  scenarios: (rng) => [invalid(), valid(rng.email())],
};

/** @returns {import('../../../../graders/types').Scenario} */
function invalid() {
  return {
    name: 'invalid',
    dom: true,
    async drive(s) {
      await s.mount('EmailForm', { onSave: s.fn('save', async () => undefined) });
      const label = s.dom.byLabel('Email');
      await s.input(s.dom.byRole('textbox'), 'nobody');
      await s.click(s.dom.byRole('button', { name: /save/i }));
      await s.settle();
      return { label, field: s.dom.byRole('textbox'), alert: s.dom.alerts()[0], focused: s.dom.focused() };
    },
    judge: {
      'labels-field': ({ facts }) => facts.label !== null,
      'describes-error': ({ facts }) => facts.field.invalid && facts.alert !== undefined && facts.field.description === facts.alert.text,
      'focuses-invalid': ({ facts }) => facts.focused?.id === facts.field.id,
      'saves-once': ({ log }) => log.calls('save').length === 0,
    },
  };
}

/** @param {string} email @returns {import('../../../../graders/types').Scenario} */
function valid(email) {
  return {
    name: 'valid',
    dom: true,
    async drive(s) {
      /** @type {(value?: unknown) => void} */
      let finish = () => undefined;
      const saving = new Promise((resolve) => { finish = resolve; });
      await s.mount('EmailForm', { onSave: s.fn('save', () => saving) });
      await s.input(s.dom.byRole('textbox'), email);
      await s.key(s.dom.byRole('textbox'), 'Enter');
      const submitted = await s.until(() => s.log.calls('save').length > 0);
      const during = s.dom.byRole('button')?.disabled;
      await s.click(s.dom.byRole('button'));
      finish();
      await s.settle();
      return { submitted, during, after: s.dom.byRole('button')?.disabled };
    },
    judge: {
      'keyboard-submit': ({ facts }) => facts.submitted,
      'pending-state': ({ facts }) => facts.during === true && facts.after === false,
      'saves-once': ({ log }) => same(log.calls('save').map(({ args }) => args), [[{ email }]]),
    },
  };
}
