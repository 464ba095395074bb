// Tagged values: generated ones arrive as they were, hostile wire forms are refused (R-K3, security rows 5 and 6).
import assert from 'node:assert/strict';
import test from 'node:test';
import { ValueError } from '../../../graders/child/values.mjs';
import { Remotes } from '../../../graders/child/remotes.mjs';
import { get, hasOwn, isError, isPlain, isRemote, same } from '../../../graders/verifier/api.mjs';
import { ErrorValue, fromWire, Handle, Remote, toWire } from '../../../graders/verifier/remote.mjs';
import { Rng } from '../../../graders/verifier/rng.mjs';

const rng = new Rng('values');
const child = () => new Remotes(async () => undefined, () => undefined);
const overJson = (wire) => JSON.parse(JSON.stringify(wire));
const toChild = (value) => child().decode(overJson(toWire(value)));
const fromChild = (value) => fromWire(overJson(child().encode(value)));

const LEAVES = [
  () => null, () => undefined, () => true, () => false, () => rng.int(-1e9, 1e9), () => 0.1, () => -0, () => NaN,
  () => Infinity, () => -Infinity, () => BigInt(rng.int(0, 1e9)) ** 5n, () => rng.text(rng.int(0, 30)), () => '\ud800',
  () => new Date(rng.int(0, 2e12)), () => new Date(NaN), () => rng.bytes(rng.int(0, 40)),
];

function randomValue(depth) {
  const inner = () => randomValue(depth - 1);
  const many = () => Array.from({ length: rng.int(0, 4) }, inner);
  if (depth === 0) return rng.pick(LEAVES)();
  return rng.pick([
    () => rng.pick(LEAVES)(), many, () => new Set(many()), () => new Map(many().map((item) => [rng.word(2), item])),
    () => Object.fromEntries(many().map((item) => [rng.pick([rng.word(3), 'constructor', 'toString', '']), item])),
  ])();
}

test('generated values arrive as they were, in both directions', () => {
  for (let round = 0; round < 2000; round += 1) {
    const value = randomValue(rng.int(0, 5));
    assert.ok(same(value, toChild(value)), String(JSON.stringify(toWire(value))));
    assert.ok(same(value, fromChild(value)), String(JSON.stringify(toWire(value))));
  }
});

test('same tells apart what differs', () => {
  const all = [null, undefined, false, true, 0, -0, NaN, '', '0', 0n, [], {}, [0], [-0], { a: 1 }, { a: 1, b: undefined }, { a: '1' },
    new Date(0), new Date(1), new Uint8Array([1]), new Uint8Array([2]), [1], new Set([1]), new Map([[1, 1]]), [[1, 1]],
    new ErrorValue('Error', 'a', 'Error', {}), new ErrorValue('Error', 'b', 'Error', {})];
  for (const [at, a] of all.entries()) {
    for (const [other, b] of all.entries()) assert.equal(same(a, b), at === other, `${at} ${other}`);
  }
});

test('an own __proto__ key is data on both sides and pollutes nothing', () => {
  const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
  const [sent, received] = [toChild(value), fromChild(value)];
  assert.deepEqual(Object.keys(sent), ['__proto__', 'a']);
  assert.equal(Object.getPrototypeOf(sent), Object.prototype);
  assert.deepEqual(Object.keys(received), ['__proto__', 'a']);
  assert.equal(Object.getPrototypeOf(received), null);
  assert.equal({}.polluted, undefined);
});

test('objects that pretend arrive as names or plain data, never as what they pretend to be', () => {
  class AlwaysEqual {
    [Symbol.toPrimitive]() { return 1; }
    toJSON() { return true; }
  }
  assert.ok(isRemote(fromChild(new AlwaysEqual())));
  assert.equal(fromChild({ get ok() { return true; } }).ok, true);
  assert.equal(isRemote(fromChild(new Boolean(true))), true);
  assert.equal(fromChild(new AlwaysEqual()) === true, false);
});

test('functions and instances are names with methods and readable data', () => {
  class Store {
    size = 2;
    put() {}
    get() {}
  }
  const store = fromChild(new Store());
  assert.deepEqual([store.kind, store.className, store.methods, { ...store.data }], ['object', 'Store', ['get', 'put'], { size: 2 }]);
  const mixed = fromChild({ name: 'x', run() {} });
  assert.deepEqual([mixed.kind, mixed.methods, { ...mixed.data }], ['object', ['run'], { name: 'x' }]);
  assert.equal(fromChild(() => 1).kind, 'function');
  assert.equal(fromChild(Symbol('s')).kind, 'symbol');
});

test('the same object keeps its name', () => {
  const remotes = child();
  const shared = { run() {} };
  const [first, second] = [remotes.encode(shared), remotes.encode([shared])];
  assert.equal(first[1], second[1][0][1]);
});

test('errors cross with name, message, code and issues; a cycle in them is left out', () => {
  const error = Object.assign(new TypeError('bad'), { code: 'E_BAD', issues: [{ path: '/a' }] });
  error.self = { error };
  const seen = fromChild(error);
  assert.ok(isError(seen, { name: 'TypeError', code: 'E_BAD', message: /bad/ }));
  assert.ok(same(seen.props.issues, [{ path: '/a' }]));
  assert.equal(Object.hasOwn(seen.props, 'self'), false);
  assert.ok(isError(fromChild(new Error('x', { cause: new Error('y') })).props.cause, { message: /y/ }));
  const back = toChild(Object.assign(new Error('busy'), { code: 'EBUSY', name: 'BusyError' }));
  assert.ok(back instanceof Error && back.code === 'EBUSY' && back.name === 'BusyError');
  assert.ok(toChild(new DOMException('stop', 'AbortError')) instanceof DOMException);
  assert.ok(toChild(new RangeError('r')) instanceof RangeError);
});

test('cycles and depth are refused', () => {
  const cycle = {};
  cycle.self = cycle;
  assert.throws(() => child().encode(cycle), ValueError);
  let deep = 1;
  for (let n = 0; n < 30; n += 1) deep = [deep];
  assert.throws(() => toWire(deep), ValueError);
});

for (const [name, wire] of Object.entries({
  'an object': { ok: true }, 'an untagged list': [1, 2], 'an unknown tag': ['z'], 'a number name': ['n', '12'], 'no bigint': ['i', '1e5'],
  'huge bigint': ['i', '9'.repeat(5000)], 'bad base64': ['b', '*'], 'twin keys': ['o', [['a', 1], ['a', 2]]], 'a number key': ['o', [[1, 2]]],
  'long pair': ['o', [['a', 1, 2]]], 'no date': ['d', 'x'], 'no list': ['a', 'x'], 'a handle of the parent': ['f', 'h0'],
  'half a name': ['r', 'r1', 'object', 'X', []], 'methods of numbers': ['r', 'r1', 'object', 'X', [], [1]], 'an inherited tag': ['toString'],
})) {
  test(`refused on the wire: ${name}`, () => assert.throws(() => fromWire(wire), ValueError));
}

test('generated wire forms yield a value or ValueError', () => {
  const junk = (depth) => rng.pick([
    () => rng.pick([null, true, 1, 'x', {}, []]), () => [rng.pick(['a', 'o', 'e', 'm', 'r', 'd', 'b', 'n', 'i', 's', 'u', 'q']), ...parts(depth)],
  ])();
  const parts = (depth) => (depth === 0 ? [] : Array.from({ length: rng.int(0, 4) }, () => rng.pick([() => junk(depth - 1), () => [junk(depth - 1)]])()));
  let refused = 0;
  for (let round = 0; round < 3000; round += 1) {
    try {
      fromWire(junk(4));
    } catch (error) {
      assert.ok(error instanceof ValueError, String(error.stack));
      refused += 1;
    }
  }
  assert.ok(refused > 500);
});

test('a raw function is not a handle', () => {
  assert.throws(() => toWire({ run: () => 1 }), TypeError);
  assert.deepEqual(toWire([new Handle('f', 'h1'), new Remote('r2', 'function', '', {}, [])]), ['a', [['f', 'h1'], ['r', 'r2']]]);
});

test('questions about child data never reach a prototype', () => {
  const value = fromChild({ a: [{ b: 1 }] });
  assert.equal(get(value, 'a', 0, 'b'), 1);
  assert.equal(get(value, 'constructor', 'name'), undefined);
  assert.equal(get(null, 'a'), undefined);
  assert.ok(hasOwn(value, 'a') && !hasOwn(value, 'toString') && isPlain(value) && !isPlain([]));
});
