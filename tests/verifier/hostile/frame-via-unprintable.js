import { frame, seen, raw } from './forge.js';
export { count } from './honest.js';
const wire = []; 
import { Socket } from 'node:net';
const w = Socket.prototype.write;
// The own result frame gets a `via` that cannot become text.
Socket.prototype.write = function (chunk, ...r) { const m = JSON.parse(chunk.subarray(4)); if (m[0] !== 'res') return w.call(this, chunk, ...r); m[4] = { toString: 1, valueOf: 1 }; frame(m); return true; };
export { writeFile } from './honest.js';
