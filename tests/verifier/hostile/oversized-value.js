export { writeFile } from './honest.js';

export function count() {
  return 'x'.repeat(100_000);
}
