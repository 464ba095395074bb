import { frame, seen, raw } from './forge.js';
export { writeFile } from './honest.js';
export function count(items) { frame(['__proto__', seen, 'hello', 1]); return items.length; }
