export { writeFile } from './honest.js';

export function count() {
  process.reallyExit(0);
}
