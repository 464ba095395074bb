import { raw } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  raw(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x5b]));
  return items.length;
}
