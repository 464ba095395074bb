// Judges an accessible booking form by its document: what is labelled, described, focused, announced, and saved.
import { checking } from './react-form/checks.mjs';
import { failing, refused, saving } from './react-form/saves.mjs';

const SCENARIOS = { checking, saving, refused, failing };

/** @type {import('../types').Grader} */
export const grader = {
  entry: 'solution.tsx',
  assertions: {
    'fields-labelled': 'The four fields need their exact labels and start empty, the submit button its name, and fields show what is typed.',
    'errors-described': 'Each invalid field, and no other, must be marked as invalid and be described by its message.',
    'focus-first-invalid': 'After a refused submit the focus must be on the first field of the page that has an issue.',
    'edit-clears-error': 'When a field changes, its mark must go away.',
    'values-kept': 'What was typed must stay after invalid values, server issues and a failed save.',
    'saves-valid-booking': 'A valid submit must call onSave with exactly the booking.',
    'enter-submits': 'Enter in a one-line field must submit the form.',
    'pending-announced': 'A live region must show the pending text while a save runs, and not afterwards.',
    'success-announced': 'A live region must show the success text after a save, and only then.',
    'cleared-after-success': 'After a save all fields must be empty again.',
    'server-issues-shown': 'The server\'s message for a field must be shown.',
    'server-form-issue-shown': 'A server issue that belongs to no field must be shown in a live region.',
    'failure-announced': 'A live region must show the failure text when onSave rejects, and nothing of the error.',
    'failure-can-be-retried': 'A submit after a failed save must save again.',
    'invalid-never-saved': 'Invalid values reached onSave.',
    'one-save-per-submit': 'A submit while a save was running saved again.',
    'saves-only-on-submit': 'Something was saved without a submit.',
  },
  safety: ['invalid-never-saved', 'one-save-per-submit', 'saves-only-on-submit'],
  scenarios(rng) {
    return Object.entries(SCENARIOS).map(([name, make]) => make(rng.fork(name)));
  },
};
