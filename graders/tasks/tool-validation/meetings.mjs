// Meetings drawn from the seed, and the two sides of the tool: a calendar in the parent, and results to be read.
import { get, isPlain } from '../../verifier/api.mjs';

/**
 * @typedef {import('../../types').Driver} Driver
 * @typedef {import('../../types').Rng} Rng
 * @typedef {import('../../types').Log} Log
 * @typedef {import('../../types').CallResult} CallResult
 * @typedef {{ email: string, name: string }} Guest
 * @typedef {{ room: string, start: string, minutes: number, guests: Guest[], title?: string, equipment?: Record<string, number> }} Meeting
 * @typedef {{ id: string, link: string }} Booking
 */

export const DAY = 24 * 60;

/** @template T @param {number} length @param {(at: number) => T} make @returns {T[]} */
export function times(length, make) {
  return Array.from({ length }, (_, at) => make(at));
}

/** @param {number} value */
function two(value) {
  return String(value).padStart(2, '0');
}

/** @param {Rng} rng */
export function date(rng) {
  return `${rng.int(1990, 2040)}-${two(rng.int(1, 12))}-${two(rng.int(1, 28))}`;
}

/** @param {string} day @param {number} minute of that day */
export function startAt(day, minute) {
  return `${day}T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00Z`;
}

/** @param {Rng} rng @param {number} at makes the address different from those of other guests @returns {Guest} */
export function guest(rng, at) {
  const [name, domain] = rng.email().split('@');
  return { email: `${name}.${rng.word(2).toUpperCase()}${at}@${domain}`, name: `${rng.text(rng.int(2, 20))} ` };
}

/** Only what is required; it ends well before midnight. @param {Rng} rng @returns {Meeting} */
export function bare(rng) {
  return {
    room: `${rng.word(rng.int(3, 8))}-${rng.int(1, 999)}`,
    start: startAt(date(rng), rng.int(1, DAY - 500)),
    minutes: 15 * rng.int(2, 31),
    guests: times(rng.int(2, 5), (at) => guest(rng, at)),
  };
}

/** @param {Rng} rng @returns {Required<Meeting>} */
export function full(rng) {
  const things = times(rng.int(2, 4), (at) => [`${rng.word(3)}${at}${rng.pick(['', ' ', '/', '~', 'ü', '.'])}`, rng.int(2, 9)]);
  return { ...bare(rng), title: ` ${rng.text(rng.int(3, 40))}\t`, equipment: Object.fromEntries(things) };
}

/** @param {Rng} rng @returns {Booking} */
export function booking(rng) {
  return { id: rng.uuid(), link: `https://${rng.word(6)}.example/${rng.word(5)}?day=${rng.int(1, 31)}` };
}

/**
 * A tool in the child over a calendar in the parent. `suffix` tells its calls apart in the log.
 * @param {Driver} s
 * @param {{ seats?: (room: unknown) => unknown, book?: (meeting: any) => unknown, suffix?: string }} [calendar]
 */
export async function openTool(s, { seats = () => 40, book = () => BOOKED, suffix = '' } = {}) {
  const tool = await s.call('createMeetingTool', {
    seats: s.fn(`seats${suffix}`, async (room) => seats(room)),
    book: s.fn(`book${suffix}`, async (meeting) => book(meeting)),
  });
  return Object.assign((/** @type {unknown[]} */ ...args) => s.invoke(tool.value, 'call', ...args), {
    observe: (/** @type {unknown} */ input) => s.observeInvoke(tool.value, 'call', input),
  });
}

const BOOKED = { id: '0b3f8a52-6d1e-4c57-9a40-5e2d7c81f9b6', link: 'https://calendar.example/1' };

/** @param {(...args: unknown[]) => Promise<CallResult>} call @param {unknown[]} inputs @returns {Promise<CallResult[]>} */
export async function callEach(call, inputs) {
  const results = [];
  for (const input of inputs) results.push(await call(input));
  return results;
}

/** @param {CallResult} result @param {Booking} output @returns {boolean} */
export function isBooked(result, output) {
  return result.ok && get(result.value, 'ok') === true && isPlain(get(result.value, 'output'))
    && get(result.value, 'output', 'id') === output.id && get(result.value, 'output', 'link') === output.link;
}

/** @param {CallResult} result @returns {boolean} resolved with a failed result, whatever the code */
export function isRefused(result) {
  return result.ok && get(result.value, 'ok') === false && typeof get(result.value, 'error', 'code') === 'string';
}

/** @param {CallResult} result @param {string} code @param {boolean} [retryable] @returns {boolean} */
export function failedWith(result, code, retryable = false) {
  return isRefused(result) && get(result.value, 'error', 'code') === code && get(result.value, 'error', 'retryable') === retryable
    && typeof get(result.value, 'error', 'message') === 'string';
}

/** @param {CallResult} result @returns {{ path: unknown, keyword: unknown }[]} */
export function issuesOf(result) {
  const issues = get(result.value, 'error', 'issues');
  return Array.isArray(issues) ? issues.map((issue) => ({ path: get(issue, 'path'), keyword: get(issue, 'keyword') })) : [];
}

/** @param {CallResult} result @param {string} path @returns {boolean} */
export function hasIssue(result, path) {
  return issuesOf(result).some((issue) => issue.path === path);
}

/** @param {Log} log @param {string} [suffix] @returns {boolean} */
export function untouched(log, suffix = '') {
  return log.calls(`seats${suffix}`).length === 0 && log.calls(`book${suffix}`).length === 0;
}
