// Stands where the verifier's parent stands, in the same container: proves the profile with the real attestation, holds
// what a parent holds, and lets a native program try every operation, as the submission's user and, for controls, as root.
import { spawnSync } from 'node:child_process';
import { openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attestPrivate, attestSelf, CHILD_ID, sweep } from '../../../graders/verifier/attest.mjs';

const SECRET = '/grader/tests/docker/probe/parent.mjs';
const IDS = { child: { uid: CHILD_ID, gid: CHILD_ID }, root: {} };

/** @param {readonly string[]} program @param {string[]} words @param {'child' | 'root'} as */
function attempt(program, words, as) {
  const filled = words.map((word) => word.replaceAll('{parent}', String(process.pid)));
  const done = spawnSync(program[0], [...program.slice(1), ...filled], { ...IDS[as], encoding: 'utf8', timeout: 20_000 });
  return done.stdout.trim() || `ended by ${done.signal ?? done.status} ${done.stderr.trim().slice(0, 200)}`;
}

/** @param {string} folder @returns {string[]} executable files of the image itself: mounts have another device */
function executables(folder, device = statSync('/').dev) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() || statSync(path).dev !== device) return [];
    if (entry.isDirectory()) return executables(path, device);
    return statSync(path).mode & 0o111 ? [path] : [];
  });
}

/** @returns {string[]} */
function interfaces() {
  return [...readFileSync('/proc/net/dev', 'utf8').matchAll(/^\s*(\S+):/gm)].map(([, name]) => name);
}

function living() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== '1' && name !== String(process.pid)).length;
}

const job = JSON.parse(readFileSync(0, 'utf8'));
const attestation = job.attest ? attestSelf() : null;
attestPrivate(['/grader']);
openSync(SECRET, 'r');
/** @type {Record<string, string>} */
const results = {};
for (const { id, as, words } of job.attempts) results[id] = attempt(job.program, words, as);
const bombs = attestation ? Number(attempt(job.program, ['bomb'], 'child')) : 0;
const before = living();
if (attestation) await sweep(attestation);
process.stdout.write(JSON.stringify({
  results, bombs, before, after: living(), executables: executables('/'), interfaces: interfaces(),
}));
