import { frame, seen } from './forge.js';
export { count } from './honest.js';

export async function writeFile({ path, text }) {
  for (let n = 0; n < 2; n += 1) frame(['cb', seen, 'same', 'h1', [path, text]]);
  return { written: true };
}
