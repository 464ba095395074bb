// Length-prefixed JSON frames, the same at both ends of the pipe (R-K3, security rows 10 and 11).
// A frame is a 4-byte big-endian length and one JSON array whose first item is a string. Objects never
// appear on the wire: they are lists of pairs (values.mjs), so a key cannot stand twice unseen.
import { Buffer } from 'node:buffer';
import { TextDecoder } from 'node:util';

export const MAX_FRAME_BYTES = 64 * 1024;

/** A frame that breaks the rules. */
export class FrameError extends Error {}

const { parse, stringify } = JSON;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @param {unknown[]} message
 * @returns {Buffer}
 */
export function encodeFrame(message) {
  const body = Buffer.from(stringify(message), 'utf8');
  if (body.length > MAX_FRAME_BYTES) throw new FrameError('frame too large');
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** @param {Buffer} body @returns {[string, ...unknown[]]} */
function parseBody(body) {
  let message;
  try {
    message = parse(utf8.decode(body));
  } catch (error) {
    throw new FrameError('frame is not JSON in UTF-8', { cause: error });
  }
  if (!Array.isArray(message) || typeof message[0] !== 'string') throw new FrameError('frame is not a tagged list');
  return /** @type {[string, ...unknown[]]} */ (message);
}

/** Turns chunks of any size into frames; holds at most one frame in memory. */
export class FrameDecoder {
  #head = Buffer.alloc(4);
  /** @type {Buffer | null} */
  #body = null;
  #have = 0;

  /**
   * @param {Buffer} chunk
   * @returns {Generator<[string, ...unknown[]]>} the frames completed by this chunk
   */
  *push(chunk) {
    let at = 0;
    while (at < chunk.length) {
      /** @type {Buffer} */
      const target = this.#body ?? this.#head;
      const taken = chunk.copy(target, this.#have, at);
      at += taken;
      this.#have += taken;
      if (this.#have < target.length) return;
      this.#have = 0;
      if (this.#body === null) {
        this.#body = Buffer.alloc(bodyLength(this.#head));
      } else {
        this.#body = null;
        yield parseBody(target);
      }
    }
  }
}

/** @param {Buffer} head @returns {number} */
function bodyLength(head) {
  const length = head.readUInt32BE();
  if (length < 2 || length > MAX_FRAME_BYTES) throw new FrameError('frame length out of bounds');
  return length;
}
