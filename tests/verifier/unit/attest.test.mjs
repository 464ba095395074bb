// What the parent must see in /proc before anything runs (R-K4). The states are recorded ones and one change each.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { Attestation, attestPrivate, attestSelf, childFaults, MachineryError, privateFaults, selfFaults, statusFields, sweep } from '../../../graders/verifier/attest.mjs';

const PARENT = { Pid: '7', Uid: '0\t0\t0\t0', CapEff: '00000000000000e2', CapBnd: '00000000000000e2', NoNewPrivs: '1' };
const NONE = '0000000000000000';
const CHILD = {
  Uid: '65534\t65534\t65534\t65534', Gid: '65534\t65534\t65534\t65534', Groups: '', CapInh: NONE, CapPrm: NONE, CapEff: NONE,
  CapAmb: NONE, NoNewPrivs: '1', Seccomp: '2',
};

test('the recorded states are accepted', () => {
  assert.deepEqual(selfFaults(PARENT, 'docker-init'), []);
  assert.deepEqual(selfFaults(PARENT, 'tini'), []);
  assert.deepEqual(childFaults(CHILD), []);
});

for (const [name, change] of Object.entries({
  'all capabilities': { CapEff: '000001ffffffffff' }, 'one capability missing': { CapEff: '00000000000000a2' }, 'a wider bound': { CapBnd: '00000000a80425fb' },
  'another user': { Uid: '1000\t1000\t1000\t1000' }, 'a saved user': { Uid: '0\t0\t1000\t0' }, 'privileges can be gained': { NoNewPrivs: '0' },
  'it is process 1': { Pid: '1' }, 'no capability line': { CapEff: undefined },
})) {
  test(`parent refused: ${name}`, () => assert.equal(selfFaults({ ...PARENT, ...change }, 'docker-init').length, 1));
}

test('parent refused: process 1 is another program', () => {
  for (const init of ['systemd', 'node', 'bash', 'process_api', '']) assert.equal(selfFaults(PARENT, init).length, 1);
});

for (const [name, change] of Object.entries({
  root: { Uid: '0\t0\t0\t0' }, 'a saved root id': { Uid: '65534\t65534\t0\t65534' }, 'group 0': { Gid: '0\t0\t0\t0' }, 'a supplementary group': { Groups: '0' },
  'an ambient capability': { CapAmb: '0000000000000002' }, 'an effective one': { CapEff: '0000000000000020' }, 'an inheritable one': { CapInh: '00000000000000e2' },
  'a permitted one': { CapPrm: '0000000000000080' }, 'no seccomp': { Seccomp: '0' }, 'privileges can be gained': { NoNewPrivs: '0' }, 'no groups line': { Groups: undefined },
})) {
  test(`child refused: ${name}`, () => assert.equal(childFaults({ ...CHILD, ...change }).length, 1));
}

test('status text is read as the kernel writes it', () => {
  assert.deepEqual(statusFields('Name:\tnode: x\nGroups:\t \nUid:\t0\t0\t0\t0\n'), { Name: 'node: x', Groups: '', Uid: '0\t0\t0\t0' });
});

test('private files: readable by others or a link is refused, wherever it lies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'private-'));
  const file = join(folder, 'input.json');
  writeFileSync(file, 'x', { mode: 0o600 });
  assert.deepEqual(privateFaults(folder), []);
  attestPrivate([folder]);
  chmodSync(file, 0o640);
  assert.equal(privateFaults(folder).length, 1);
  assert.throws(() => attestPrivate([folder]), MachineryError);
  chmodSync(file, 0o600);
  symlinkSync(file, join(folder, 'link'));
  assert.equal(privateFaults(folder).length, 1);
  rmSync(folder, { recursive: true });
});

test('no sweep without the proof of this process: nothing here can make one', async () => {
  assert.throws(() => new Attestation(Symbol('attested'), process.pid), MachineryError);
  assert.throws(() => attestSelf(), MachineryError);
  for (const forged of [null, undefined, {}, { pid: process.pid }, Object.create(Attestation.prototype)]) {
    // Asked first: if it ever held, the sweep below would end every process of this machine.
    assert.equal(Attestation.holds(forged), false);
    await assert.rejects(sweep(/** @type {any} */ (forged)), MachineryError);
  }
});
