import { frame, seen } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(['ready', seen]);
  return items.length;
}
