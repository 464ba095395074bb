import { frame, seen } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(['res', seen, 'a'.repeat(24), true, 'return', 3, []]);
  return items.length;
}
