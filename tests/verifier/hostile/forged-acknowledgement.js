import { frame } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(['pong', 'f'.repeat(24), '']);
  return items.length;
}
