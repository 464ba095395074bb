export { count } from './honest.js';

const ONE_MORE_THAN_ALLOWED = 4001;

export async function writeFile({ path, text }, { store }) {
  await Promise.all(Array.from({ length: ONE_MORE_THAN_ALLOWED }, () => store.put(path, text)));
  return { written: true };
}
