// Types of a task grader, for `tsc --checkJs` over graders/.
import type { Driver } from './verifier/driver.mjs';
import type { Log, LogEvent } from './verifier/log.mjs';
import type { Rng } from './verifier/rng.mjs';
import type { Node, Snapshot } from './verifier/snapshot.mjs';
import type { ErrorValue, Handle, Remote } from './verifier/remote.mjs';
import type { CallResult } from './verifier/session.mjs';

export type { CallResult, Driver, ErrorValue, Handle, Log, LogEvent, Node, Remote, Rng, Snapshot };

/** Passes only by returning exactly `true`; a throw is false. `facts` is what drive() returned. */
export type Judge = (seen: { log: Log; facts: any }) => boolean;
export type Judges = Record<string, Judge>;

export interface Scenario {
  /** Unique, lowercase with hyphens. */
  name: string;
  /** Needs jsdom and React of the consumer in the child. */
  dom?: boolean;
  drive(s: Driver): Promise<unknown>;
  /** Its keys are the ids this scenario asserts. */
  judge: Judges;
}

export interface Grader {
  /** The module whose exports are called, one of `allowedOutputPaths`. */
  entry: string;
  /** Every assertion id with its fixed feedback sentence: no inputs, no expected values. */
  assertions: Record<string, string>;
  safety: string[];
  scenarios(rng: Rng): Scenario[];
}
