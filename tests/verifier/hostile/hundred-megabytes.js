export { writeFile } from './honest.js';
export function count() { return 'x'.repeat(100 * 1024 * 1024); }
