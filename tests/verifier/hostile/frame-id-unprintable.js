import { frame, seen, raw } from './forge.js';
export { writeFile } from './honest.js';
// An id that is an object whose own toString is no function: String(id) throws in the parent.
export function count(items) { frame(['res', seen, { toString: 1, valueOf: 1 }, true, 'return', items.length, []]); return items.length; }
