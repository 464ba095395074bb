// Proof, from /proc, that parent and child are what the container profile promises (security.md 3.2; R-K4).
// `kill(-1)` by root outside the container would end every process of the machine: it can be reached only with the
// object that attestSelf makes after its proof in this very process.
import { linkSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const CHILD_ID = 65534;
const PARENT_CAPABILITIES = 0xe2n; // DAC_OVERRIDE, KILL, SETGID, SETUID
const SWEEP_ROUNDS = 50;

/** The verifier itself cannot work here: never the submission's fault. */
export class MachineryError extends Error {}

const made = Symbol('attested');

/** Can be made by attestSelf only; a look-alike lacks the private field. */
export class Attestation {
  #pid;

  /** @param {symbol} key @param {number} pid */
  constructor(key, pid) {
    if (key !== made) throw new MachineryError('an attestation cannot be made by hand');
    this.#pid = pid;
  }

  /** @param {unknown} value @returns {boolean} whether attestSelf made it in this process */
  static holds(value) {
    return typeof value === 'object' && value !== null && #pid in value && value.#pid === process.pid;
  }
}

/** @param {string} text content of /proc/<pid>/status @returns {Record<string, string>} */
export function statusFields(text) {
  return Object.fromEntries(text.split('\n').filter(Boolean).map((line) => {
    const [name, ...rest] = line.split(':');
    return [name, rest.join(':').trim()];
  }));
}

/** @param {Record<string, string>} status @param {string[]} names @param {bigint} expected */
function wrongCapabilities(status, names, expected) {
  return names.filter((name) => BigInt(`0x${status[name] ?? 'f'.repeat(16)}`) !== expected)
    .map((name) => `${name} is ${status[name]}`);
}

/** @param {string} ids @param {number} expected */
function allAre(ids, expected) {
  const parts = (ids ?? '').split(/\s+/);
  return parts.length === 4 && parts.every((id) => id === String(expected));
}

/** @param {Record<string, string>} status @param {string} init name of process 1 @returns {string[]} */
export function selfFaults(status, init) {
  const faults = wrongCapabilities(status, ['CapEff', 'CapBnd'], PARENT_CAPABILITIES);
  if (!allAre(status.Uid, 0)) faults.push('the parent is not UID 0');
  if (status.NoNewPrivs !== '1') faults.push('no-new-privileges is off');
  if (status.Pid === '1' || !/^(docker-init|tini|catatonit)$/.test(init)) faults.push('process 1 is not the container init');
  return faults;
}

/** @param {Record<string, string>} status @returns {string[]} */
export function childFaults(status) {
  const faults = wrongCapabilities(status, ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'], 0n);
  if (!allAre(status.Uid, CHILD_ID) || !allAre(status.Gid, CHILD_ID)) faults.push('the child has another UID or GID');
  if (status.Groups !== '') faults.push('the child has supplementary groups');
  if (status.NoNewPrivs !== '1') faults.push('the child may gain privileges');
  if (status.Seccomp !== '2') faults.push('the child has no seccomp filter');
  return faults;
}

/** @param {string} path @returns {string[]} private files that the child could read or that are links */
export function privateFaults(path) {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return [`${path} is a link`];
  const faults = status.uid === CHILD_ID || (status.mode & 0o077) !== 0 ? [`${path} is not private`] : [];
  const inside = status.isDirectory() ? readdirSync(path).sort() : [];
  return [...faults, ...inside.flatMap((name) => privateFaults(join(path, name)))];
}

/** @param {string[]} faults @param {string} who */
function refuse(faults, who) {
  if (faults.length > 0) throw new MachineryError(`${who} not attested: ${faults.join('; ')}`);
}

/** A link across file systems is EXDEV everywhere but under our filter, which knows no links. @returns {string[]} */
function filterFaults() {
  try {
    linkSync(process.execPath, '/proc/self/link');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === 'EPERM' ? [] : [`the system call filter is not graders/seccomp.json (${code})`];
  }
  return ['the system call filter allows links'];
}

/** @returns {Attestation} or throws MachineryError */
export function attestSelf() {
  const init = readFileSync('/proc/1/comm', 'utf8').trim();
  refuse(selfFaults(statusFields(readFileSync('/proc/self/status', 'utf8')), init), 'parent');
  refuse(filterFaults(), 'parent');
  return new Attestation(made, process.pid);
}

/** @param {string[]} paths files and folders that only the parent may read */
export function attestPrivate(paths) {
  refuse(paths.flatMap(privateFaults), 'private files');
}

/** @param {number} pid */
export function attestChild(pid) {
  refuse(childFaults(statusFields(readFileSync(`/proc/${pid}/status`, 'utf8'))), 'child');
}

function others() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== '1' && name !== String(process.pid));
}

/** Ends every process but init and this one. @param {Attestation} attestation */
export async function sweep(attestation) {
  if (!Attestation.holds(attestation)) {
    throw new MachineryError('a sweep needs the attestation of this process');
  }
  for (let round = 0; round < SWEEP_ROUNDS && others().length > 0; round += 1) {
    try {
      process.kill(-1, 'SIGKILL');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
    }
    await delay(round < 3 ? 1 : 20);
  }
  if (others().length > 0) throw new MachineryError('processes survived the sweep');
}
