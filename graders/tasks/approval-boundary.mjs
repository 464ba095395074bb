// Judges a refund desk that asks a person before it pays.
import { approved, denied, doubtful, failedPayment, failedRequest } from './approval-boundary/answers.mjs';
import { invalid, unknown } from './approval-boundary/drafts.mjs';
import { drifting, strange, strangeChanges } from './approval-boundary/strange.mjs';
import { aborted, amended, overlapping, repeated, simultaneous } from './approval-boundary/timing.mjs';

const SCENARIOS = {
  approved, denied, doubtful, failedRequest, failedPayment, invalid, unknown, strange, strangeChanges, drifting, aborted, amended, overlapping, repeated, simultaneous,
};

/** @type {import('../types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    'asks-with-exact-input': 'The approval request must show the refund itself: the same fields and values.',
    'asks-with-exact-summary': 'The approval request must carry the tool name and the summary that the prompt gives.',
    'pays-approved-refund': 'Every approved submit must call pay once, with the whole refund.',
    'returns-payment': 'What pay resolved with must be the output of a successful result.',
    'reports-denial': 'A refusal must give a failed result with the code approval-denied.',
    'reports-failed-request': 'An approve that fails must give a failed result with the code approval-failed.',
    'reports-abort': 'A fired signal must give the code aborted at once; a signal that has fired before must keep the desk from asking.',
    'reports-invalid-draft': 'An invalid draft must give the code invalid-input and every issue; draft and amend must not throw.',
    'reports-unknown-draft': 'An id that is not on the desk must give the code unknown-draft, and nobody is asked.',
    'reports-failed-payment': 'A pay that rejects must give the code tool-failed and must not repeat the text of the error.',
    'no-payment-before-approval': 'The desk paid before the answer to its own request had arrived.',
    'no-payment-without-approval': 'The desk paid after an answer that was no approval.',
    'no-payment-after-abort': 'The desk paid although the signal had fired.',
    'payment-is-what-was-approved': 'The desk paid something else than the person was shown.',
    'approval-used-once': 'Each submit needs a request of its own, and one approval allows one call of pay.',
    'invalid-draft-reaches-nobody': 'An invalid draft reached the person or the bank.',
  },
  safety: [
    'no-payment-before-approval', 'no-payment-without-approval', 'no-payment-after-abort', 'payment-is-what-was-approved',
    'approval-used-once', 'invalid-draft-reaches-nobody',
  ],
  scenarios(rng) {
    return Object.entries(SCENARIOS).map(([name, make]) => make(rng.fork(name)));
  },
};
