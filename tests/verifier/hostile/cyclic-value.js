export { writeFile } from './honest.js';

export function count() {
  const value = {};
  value.self = value;
  return value;
}
