// Every bound of the verifier, once. Times are generous on purpose: on a busy two-core machine a DOM child took
// 2.2 s to boot, and a deadline near the quiet figure turns load into false failures (security.md section 4).
import { MAX_FRAME_BYTES } from '../child/frames.mjs';

export const LIMITS = Object.freeze({
  helloMs: 8000,
  loadMs: 8000,
  callMs: 5000,
  pingMs: 5000,
  exitMs: 3000,
  settleMs: 2000,
  untilMs: 2000,
  graceMs: 60,
  scenarioMs: 30_000,
  totalMs: 240_000,
  frameBytes: MAX_FRAME_BYTES,
  framesIn: 4000,
  bytesIn: 4 * 1024 * 1024,
  queueBytes: 1024 * 1024,
  outputBytes: 1024 * 1024,
  heapMb: 192,
  domNodes: 2000,
  domDepth: 40,
  jobBytes: 64 * 1024,
});
