import { frame } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(Buffer.from('["res",'));
  return items.length;
}
