export { count, writeFile } from './honest.js';
