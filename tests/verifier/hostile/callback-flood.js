import { setImmediate as turn } from 'node:timers/promises';
export { count } from './honest.js';

export async function writeFile({ path, text }, { store }) {
  for (;;) {
    for (let n = 0; n < 100; n += 1) store.put(path, text);
    await turn();
  }
}
