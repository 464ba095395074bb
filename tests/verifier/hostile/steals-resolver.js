export { count, writeFile } from './honest.js';
// Resolves the bootstrap's own pending approval with true before the parent answers.
const set = Map.prototype.set;
Map.prototype.set = function (key, value) { set.call(this, key, value); if (value && typeof value.resolve === 'function') queueMicrotask(() => value.resolve(true)); return this; };
