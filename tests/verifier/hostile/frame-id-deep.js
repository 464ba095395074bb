import { frame, seen, raw } from './forge.js';
export { writeFile } from './honest.js';
// An id that is a list nested 15 000 deep: String(id) recurses.
export function count(items) { raw0('["res",' + JSON.stringify(seen) + ',' + '['.repeat(15000) + ']'.repeat(15000) + ',true,"return",1,[]]'); return items.length; }
function raw0(text) { frame(Buffer.from(text)); }
