export { count } from './honest.js';

export async function writeFile({ path, text }, { approve, store }) {
  await approve({ path, text });
  await store.put(path, text);
  return { written: true };
}
