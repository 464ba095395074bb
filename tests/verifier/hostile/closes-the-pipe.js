import { closeSync } from 'node:fs';
export { writeFile } from './honest.js';
export function count(items) { closeSync(3); return items.length; }
