import { frame } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(Buffer.alloc(0));
  return items.length;
}
