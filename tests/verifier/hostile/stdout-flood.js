import { writeSync } from 'node:fs';
export { writeFile } from './honest.js';

const noise = Buffer.alloc(64 * 1024, 'x');

export function count() {
  for (;;) {
    try {
      writeSync(1, noise);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
