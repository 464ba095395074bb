import { frame, seen } from './forge.js';
export { count } from './honest.js';

export async function writeFile() {
  frame(Buffer.from(`["cb",${JSON.stringify(seen)},"x1","h1",[${'["a",['.repeat(5000)}${']]'.repeat(5000)}]]`));
  return { written: true };
}
