import { frame, seen } from './forge.js';
export { count } from './honest.js';

export function writeFile() {
  const noise = 'x'.repeat(60_000);
  for (let n = 0; ; n += 1) frame(['cb', seen, `n${n}`, 'h1', [noise]]);
}
