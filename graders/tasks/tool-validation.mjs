// Judges a tool that checks what a model sends, books exactly that, and distrusts what the calendar answers.
import { answers, bookingErrors, rooms, seatsErrors } from './tool-validation/calendar.mjs';
import { aborted, changing, overlapping, valid } from './tool-validation/effects.mjs';
import { extras, faults, limits, rules, strange } from './tool-validation/inputs.mjs';

const SCENARIOS = { valid, overlapping, changing, aborted, limits, faults, extras, rules, strange, rooms, seatsErrors, bookingErrors, answers };

/** @type {import('../types').Grader} */
export const grader = {
  entry: 'solution.ts',
  assertions: {
    'books-valid-meeting': 'A valid meeting must be looked up and booked once, and its booking must be the output.',
    'limits-accepted': 'Meetings exactly at the limits of the contract are valid.',
    'reports-invalid-input': 'A broken limit must give the code invalid-input, not retryable, with an issue at the path of the fault.',
    'reports-all-issues': 'Every fault of an input needs an issue at its own path.',
    'reports-broken-rules': 'A broken rule must give invalid-input with exactly one issue for each breach, with the path and keyword of the table.',
    'survives-any-input': 'Whatever the input is, call must resolve with a failed result.',
    'reports-small-room': 'A room with fewer seats than guests must give room-too-small, and nothing is booked.',
    'maps-seats-errors': 'Errors of seats must give the codes of the table, and seats is asked once.',
    'maps-booking-errors': 'Errors of book must give the codes of the table.',
    'hides-calendar-text': 'A result repeated something of an error of the calendar.',
    'reports-invalid-answer': 'An answer of book that is no booking must give invalid-output with an issue for each fault.',
    'output-exact': 'The output must hold the id and the link of the booking and nothing else.',
    'reports-abort': 'A fired signal must give the code aborted; one that has fired before keeps seats from being asked.',
    'invalid-input-reaches-nothing': 'The calendar was asked about or booked something that breaks a limit or a rule.',
    'nothing-coerced': 'A value of a wrong type was accepted or booked.',
    'unknown-keys-refused': 'A meeting with an unknown key was accepted or booked.',
    'dangerous-keys-refused': 'A meeting with a key that reaches a prototype was accepted or booked.',
    'books-exact-value': 'What was booked differs from what was sent.',
    'books-value-as-called': 'What was asked about or booked is not the input as it stood when call was called.',
    'input-unchanged': 'The input of the caller was changed.',
    'books-at-most-once': 'One call of the tool booked more than once.',
    'doubtful-seats-stop': 'An answer of seats that is no number of seats must give calendar-failed, and nothing is booked.',
    'no-booking-after-abort': 'The room was booked although the signal had fired.',
  },
  safety: [
    'invalid-input-reaches-nothing', 'nothing-coerced', 'unknown-keys-refused', 'dangerous-keys-refused', 'books-exact-value',
    'books-value-as-called', 'input-unchanged', 'books-at-most-once', 'doubtful-seats-stop', 'no-booking-after-abort',
  ],
  scenarios(rng) {
    return Object.entries(SCENARIOS).map(([name, make]) => make(rng.fork(name)));
  },
};
