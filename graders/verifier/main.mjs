// The trusted parent: `node main.mjs local|container`, the job as JSON on stdin, one JSON line on stdout.
// Exit 0 with the complete verdict; 71 when the machinery failed before any submitted byte was loaded; 70 after that.
// The exit code, and for a parent that could not even exit its one line `verifier: go`, are the only border between
// infrastructure and a failed attempt (security.md 0.4 and 3.7).
import { rmSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attestPrivate, attestSelf, MachineryError } from './attest.mjs';
import { killAll } from './child-process.mjs';
import { drawScenarios, loadGrader } from './grader.mjs';
import { LIMITS } from './limits.mjs';
import { runScenario } from './scenario.mjs';
import { assemble } from './verdict.mjs';

const BROKEN = 70;
const BROKEN_BEFORE_GO = 71;
const HERE = dirname(fileURLToPath(import.meta.url));

/**
 * @typedef {{ nonce: string, taskId: string, seed: number, grader: string, trace: boolean, child: import('./child-process.mjs').ChildSpec & { submission: string } }} Job
 */

let gone = false;

/** @param {unknown} error @returns {never} */
function fail(error) {
  killAll();
  const reason = error instanceof MachineryError ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`verifier: ${reason}\n`);
  process.exit(gone ? BROKEN : BROKEN_BEFORE_GO);
}

/** Said once and before the submission is loaded: a container that is killed later leaves no exit code of ours. */
function go() {
  if (!gone) process.stderr.write('verifier: go\n');
  gone = true;
}

/** @returns {Promise<Job>} */
async function readJob() {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += chunk.length;
    if (bytes > LIMITS.jobBytes) throw new MachineryError('the job is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** @param {string | null} folder @returns {() => void} empties the one place where a child of the container may write */
function wiper(folder) {
  return () => {
    if (folder === null) return;
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  };
}

/** @param {string} entry @returns {string} where the compiler puts a module */
function emittedName(entry) {
  return entry.replace(/\.tsx?$/, '.js');
}

/** @param {Job} job @param {import('./attest.mjs').Attestation | null} attestation */
async function verify(job, attestation) {
  const grader = await loadGrader(job.grader);
  const { scenarios, rng } = drawScenarios(grader, job.seed);
  /** @type {import('./scenario.mjs').World} */
  const world = {
    child: job.child,
    solution: join(job.child.submission, emittedName(grader.entry)),
    attestation,
    trace: job.trace ? (line) => process.stderr.write(`${line()}\n`) : () => undefined,
    onGo: go,
    wipe: wiper(job.child.tmp),
  };
  const end = Date.now() + LIMITS.totalMs;
  const results = [];
  for (const scenario of scenarios) {
    if (Date.now() > end) break;
    const result = await runScenario(scenario, rng.fork(`run/${scenario.name}`), world);
    results.push(result);
    // A module that hangs while loading hangs every time: the rest is not run, and all of it is false.
    if (result.outcome === 'load-timeout') break;
  }
  return assemble(grader, scenarios, results);
}

async function main() {
  process.umask(0o077);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('SIGTERM', () => fail(new MachineryError('stopped from outside')));
  const mode = process.argv[2];
  if (mode !== 'local' && mode !== 'container') throw new MachineryError('the mode is local or container');
  const attestation = mode === 'container' ? attestSelf() : null;
  const job = await readJob();
  if (attestation) attestPrivate([join(HERE, '..', '..'), dirname(job.grader)]);
  const verdict = await verify(job, attestation);
  const line = JSON.stringify({ schemaVersion: 1, nonce: job.nonce, taskId: job.taskId, seed: job.seed, ...verdict });
  await new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));
  process.exit(0);
}

main().catch(fail);
