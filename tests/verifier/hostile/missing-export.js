export { writeFile } from './honest.js';
