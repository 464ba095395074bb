export { writeFile } from './honest.js';

Object.prototype.ok = true;
Object.prototype.value = 3;

export function count() {
  return JSON.parse('{"__proto__":{"ok":true,"value":3},"constructor":{"prototype":{"polluted":true}}}');
}
