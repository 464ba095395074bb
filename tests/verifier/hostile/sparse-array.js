export { writeFile } from './honest.js';
export function count() { return new Array(2 ** 32 - 1); }
