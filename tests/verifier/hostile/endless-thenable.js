export { writeFile } from './honest.js';

export function count() {
  return { then() {} };
}
