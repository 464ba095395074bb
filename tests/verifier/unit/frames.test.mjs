// The frame codec against generated frames and chunks (R-K3, security row 11).
import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeFrame, FrameDecoder, FrameError, MAX_FRAME_BYTES } from '../../../graders/child/frames.mjs';
import { Rng } from '../../../graders/verifier/rng.mjs';

const rng = new Rng('frames');

function randomFrame() {
  const item = () => rng.pick([null, rng.bool(), rng.int(-5, 5), rng.text(rng.int(0, 40)), [rng.text(3), [rng.int(0, 9)]]]);
  return [rng.word(3), ...Array.from({ length: rng.int(0, 6) }, item)];
}

function chunked(bytes, most) {
  const chunks = [];
  for (let at = 0; at < bytes.length;) {
    const size = rng.int(1, most);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function decoded(chunks) {
  const decoder = new FrameDecoder();
  return chunks.flatMap((chunk) => [...decoder.push(chunk)]);
}

function raw(body, length = body.length) {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  return Buffer.concat([head, Buffer.from(body)]);
}

test('frames survive any split into chunks', () => {
  for (let round = 0; round < 300; round += 1) {
    const frames = Array.from({ length: rng.int(1, 8) }, randomFrame);
    const bytes = Buffer.concat(frames.map(encodeFrame));
    assert.deepEqual(decoded(chunked(bytes, rng.pick([1, 3, 50, 5000]))), frames);
  }
});

test('random bytes never yield anything but tagged lists or FrameError', () => {
  let refused = 0;
  for (let round = 0; round < 500; round += 1) {
    const body = Buffer.from(rng.bytes(rng.int(2, 60)));
    try {
      for (const frame of decoded([raw(body)])) assert.ok(Array.isArray(frame) && typeof frame[0] === 'string');
    } catch (error) {
      assert.ok(error instanceof FrameError, String(error));
      refused += 1;
    }
  }
  assert.equal(refused, 500);
});

test('the size limit: at the limit passes, one above fails, in both directions', () => {
  const overhead = JSON.stringify(['x', '']).length;
  const most = ['x', 'y'.repeat(MAX_FRAME_BYTES - overhead)];
  assert.deepEqual(decoded([encodeFrame(most)]), [most]);
  assert.throws(() => encodeFrame(['x', `${most[1]}y`]), FrameError);
  assert.throws(() => decoded([raw('["x"]', MAX_FRAME_BYTES + 1)]), FrameError);
  assert.throws(() => decoded([raw('', 0xffffffff)]), FrameError);
});

for (const [name, bytes] of Object.entries({
  'no list': raw('{"0":"x"}'), 'a bare text': raw('"res"'), 'an empty list': raw('[]'), 'an untagged list': raw('[1]'),
  'bad UTF-8': raw(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), 'a BOM': raw('\ufeff["x"]'), 'a second value': raw('["x"]["y"]'),
  NaN: raw('["x",NaN]'), 'an empty body': raw(''), 'UTF-16': raw(Buffer.from('["x"]', 'utf16le')),
})) {
  test(`refused: ${name}`, () => assert.throws(() => decoded([bytes]), FrameError));
}

test('a header split from its body waits, and holds no more than the frame', () => {
  const decoder = new FrameDecoder();
  const bytes = encodeFrame(['x', 1]);
  assert.deepEqual([...decoder.push(bytes.subarray(0, 5))], []);
  assert.deepEqual([...decoder.push(bytes.subarray(5))], [['x', 1]]);
});
