import { frame, seen } from './forge.js';
export { count } from './honest.js';

export async function writeFile() {
  frame(['cb', seen, 'twice', 'h0', [['o', [['a', 1], ['a', 2]]]]]);
  return { written: true };
}
