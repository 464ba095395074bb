import { frame } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d]));
  return items.length;
}
