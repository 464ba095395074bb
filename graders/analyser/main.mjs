/**
 * Serves analysis jobs: one JSON object per line in, two per line out (`prepared`, then `result` or `failed`).
 *
 * What fails before `prepared` is the machinery's fault, what fails after it is the submission's. After a failure the
 * process ends: nothing of a broken attempt reaches the next one.
 */
import { analyse, seedFingerprint } from "./analyse.mjs";
import { packageCheck } from "./packagecheck.mjs";
import { openWorld } from "./program.mjs";

// One that outlives its user ends by itself when it is asked nothing for so many seconds.
const idle = process.argv[3] ? setTimeout(() => process.exit(0), Number(process.argv[3]) * 1000).unref() : undefined;

/** @type {Map<string, import("./program.mjs").World>} */
const worlds = new Map();

/** @param {unknown} value */
function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** @param {{consumer: string, candidate: import("./candidate.mjs").CandidateNames}} job */
function world({ consumer, candidate }) {
  const name = JSON.stringify([consumer, candidate]);
  const known = worlds.get(name) ?? openWorld(consumer, candidate);
  worlds.set(name, known);
  return known;
}

/** @type {Record<string, (at: import("./program.mjs").World, job: any) => unknown>} */
const operations = {
  analyse: (at, job) => analyse(at, job),
  seeds: (at, job) => Object.keys(seedFingerprint(at, job.starter, job.task)).sort(),
  catalogue: (at) => at.catalogue,
  packageCheck,
};

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error).slice(0, 500);
}

/** A job ends at "\n" and nowhere else: `readline` also ends it at U+2028, which a submission may hold. */
async function* jobs() {
  let parts = [];
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const [first, ...others] = chunk.split("\n");
    parts.push(first);
    for (const next of others) {
      yield parts.join("");
      parts = [next];
    }
  }
}

for await (const line of jobs()) {
  let phase = "prepare";
  idle?.refresh();
  try {
    const job = JSON.parse(line);
    const at = world(job);
    say({ prepared: true });
    phase = "analyse";
    say({ result: operations[job.operation](at, job) });
  } catch (error) {
    say({ failed: reasonOf(error), phase });
    process.exitCode = 1;
    break;
  }
}
process.stdin.destroy();
