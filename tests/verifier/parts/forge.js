import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

const PIPE = 3;
const HEAD = 4;

/** The newest acknowledgement the bootstrap sent: a forger that shares its realm can copy it. */
export let seen = '';

const { write } = Socket.prototype;
Socket.prototype.write = function spy(chunk, ...rest) {
  if (Buffer.isBuffer(chunk) && chunk[HEAD] === 0x5b) [, seen] = JSON.parse(chunk.subarray(HEAD));
  return write.call(this, chunk, ...rest);
};

export function frame(message) {
  const body = Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(body.length);
  raw(Buffer.concat([head, body]));
}

export function raw(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(PIPE, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
