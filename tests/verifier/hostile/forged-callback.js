import { frame, seen } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(['cb', seen, 'x1', 'h99', []]);
  return items.length;
}
