export { writeFile } from './honest.js';

export function count(items) {
  Promise.reject(new Error('nobody catches this'));
  return items.length;
}
