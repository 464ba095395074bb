import { registerHooks } from 'node:module';
export { writeFile } from './honest.js';
registerHooks({ resolve: (s, c, n) => n(s, c), load: (u, c, n) => ({ ...n(u, c), source: 'export const count = () => 1' }) });
export function count(items) { return items.length; }
