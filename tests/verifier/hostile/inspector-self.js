import inspector from 'node:inspector';
export { writeFile } from './honest.js';
const s = new inspector.Session(); try { s.connect(); s.post('Debugger.enable'); } catch {}
export function count(items) { try { s.post('Debugger.pause'); } catch {} return items.length; }
