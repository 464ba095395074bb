export { writeFile } from './honest.js';
export async function count(items) { const { DatabaseSync } = await import('node:sqlite');
 try { const d = new DatabaseSync(':memory:'); d.exec("ATTACH DATABASE '/tmp/attack-sqlite.db' AS x; CREATE TABLE x.t(a); INSERT INTO x.t VALUES(1)"); } catch (e) { console.error('SQL', e.message); }
 return items.length; }
