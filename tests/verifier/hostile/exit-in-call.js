export { count } from './honest.js';

export function writeFile() {
  process.exit(0);
}
