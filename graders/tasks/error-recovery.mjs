// Judges a payroll run that retries, resumes and stops without ever moving money twice.
import { aborted, failingRecords, invalid, underWay, unreadable } from './error-recovery/ends.mjs';
import { crashed, mixed, twoJobs } from './error-recovery/reruns.mjs';
import { exhausted, plain, refused, transient } from './error-recovery/tries.mjs';

const SCENARIOS = { plain, transient, exhausted, refused, mixed, crashed, twoJobs, aborted, underWay, failingRecords, unreadable, invalid };

/** @type {import('../types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    'pays-every-payment': 'Every payment must be transferred once, as it stands, one after another and in order, and listed as paid.',
    'retries-transient': 'A transfer must be tried again after each of the transient codes, and paid when a later try succeeds.',
    'attempts-bounded': 'No payment may be tried more often in one run than attempts says.',
    'waits-between-attempts': 'The waits between two tries must be asked of sleep: doubled each time, as long as the bank asks, never over the limit.',
    'permanent-not-retried': 'An error that is not transient must not be followed by another try in the same run.',
    'continues-after-failure': 'A payment that fails must not keep the payments after it from being made.',
    'reports-refusal': 'A payment whose last error was not transient must be listed as refused, with that code and the number of tries.',
    'reports-exhausted': 'A payment whose last error was transient must be listed as exhausted, with that code and the number of tries.',
    'reports-finished-work': 'A later run must list payments of earlier runs as paid, with their references, in the order of its own job.',
    'remembers-only-records': 'A run whose adapter holds no records must make every payment, whatever this process did before.',
    'failed-tried-again': 'A payment that failed must be tried again by a later run.',
    'reports-abort': 'After the signal has fired, the run must resolve at once with the status aborted and list what was settled.',
    'keeps-transfer-under-way': 'A transfer that is under way when the signal fires must be waited for, recorded and listed.',
    'refuses-invalid-job': 'A job that breaks a rule must be rejected with the code invalid-job before the bank or the adapter is used.',
    'record-failure-stops': 'When the adapter or a record fails, the run must reject with that error and transfer nothing further.',
    'no-duplicate-transfer': 'Two tries of one payment used different keys: its money can move twice.',
    'no-duplicate-after-crash': 'Two runs used different keys for one payment: its money can move twice.',
    'finished-not-repeated': 'A later run transferred a payment that was already finished.',
    'payments-not-merged': 'Two payments used the same key: one of them is never made.',
    'no-transfer-after-abort': 'A transfer started although the signal had fired.',
  },
  safety: [
    'record-failure-stops', 'no-duplicate-transfer', 'no-duplicate-after-crash', 'finished-not-repeated', 'payments-not-merged',
    'no-transfer-after-abort',
  ],
  scenarios(rng) {
    return Object.entries(SCENARIOS).map(([name, make]) => make(rng.fork(name)));
  },
};
