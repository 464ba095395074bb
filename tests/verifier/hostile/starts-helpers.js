import { execFileSync, spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
export { writeFile } from './honest.js';

const attempts = [
  () => execFileSync(process.execPath, ['-e', '0']),
  () => spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' }),
  () => new Worker('setInterval(() => 0, 1000)', { eval: true }),
];
const started = attempts.filter((start) => {
  try {
    start();
    return true;
  } catch (error) {
    return error.code !== 'ERR_ACCESS_DENIED';
  }
}).length;

export function count(items) {
  return started === 0 ? items.length : -1;
}
