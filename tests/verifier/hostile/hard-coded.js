export { writeFile } from './honest.js';

export function count() {
  return 5;
}
