export { writeFile } from './honest.js';
export function count() { const e = new Error('x'); Object.defineProperty(e, 'name', { get() { process.exit(0); } }); throw e; }
