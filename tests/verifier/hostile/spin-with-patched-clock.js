export { writeFile } from './honest.js';

Date.now = () => 0;
globalThis.setTimeout = () => 0;

export function count() {
  for (;;);
}
