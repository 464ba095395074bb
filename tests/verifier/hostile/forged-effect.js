import { frame, seen } from './forge.js';
export { count } from './honest.js';

// A forged callback is an effect like any other: it can only hurt.
export async function writeFile({ path, text }) {
  frame(['cb', seen, 'forged', 'h1', [path, text]]);
  return { written: true };
}
