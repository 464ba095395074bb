// The life of one scenario, in the order of security.md 3.2 and 3.4: start, attest, go, drive, close, judge.
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { attestChild, MachineryError, sweep } from './attest.mjs';
import { Child } from './child-process.mjs';
import { Driver } from './driver.mjs';
import { LIMITS } from './limits.mjs';
import { Broken, Session } from './session.mjs';

/**
 * @typedef {import('../types').Scenario} Scenario
 * @typedef {{ name: string, outcome: string, judged: Record<string, boolean>, callFrames: number }} ScenarioResult
 * @typedef {{
 *   child: import('./child-process.mjs').ChildSpec,
 *   solution: string,
 *   attestation: import('./attest.mjs').Attestation | null,
 *   trace: import('./session.mjs').Trace,
 *   onGo: () => void,
 *   wipe: () => void,
 * }} World
 */

/** What fails before `go` is never the submission's fault: none of its bytes are loaded yet. @param {Session} session @param {Child} child @param {World} world */
async function start(session, child, world) {
  try {
    await session.expectOnce('hello', LIMITS.helloMs);
  } catch (error) {
    throw new MachineryError(`the child did not start (${session.outcome})`, { cause: error });
  }
  if (world.attestation) attestChild(child.pid);
}

/** @param {Session} session @param {World} world @param {boolean} dom */
async function load(session, world, dom) {
  const ready = session.expectOnce('ready', LIMITS.loadMs);
  world.onGo();
  session.send('go', pathToFileURL(world.solution).href, dom);
  await ready;
}

/** Callbacks still count in the grace window; the ping flushes what was sent before it. @param {Session} session */
async function drain(session) {
  await Promise.race([delay(LIMITS.graceMs), session.broken]);
  await session.request('pong', LIMITS.pingMs, 'ping').answered;
}

/** @param {Session} session @param {Child} child @param {World} world */
async function close(session, child, world) {
  session.close();
  const gone = await child.stop();
  if (world.attestation) await sweep(world.attestation);
  else if (!gone) throw new MachineryError('the child could not be ended');
  world.wipe();
}

/** @param {Scenario} scenario @param {Session} session @param {Driver} driver @returns {Promise<unknown>} facts */
async function drive(scenario, session, driver) {
  const timer = setTimeout(() => session.break('timeout'), LIMITS.scenarioMs);
  try {
    return await Promise.race([scenario.drive(/** @type {any} */ (driver)), session.broken]);
  } catch (error) {
    if (!(error instanceof Broken)) {
      session.trace(() => `drive stopped: ${error instanceof Error ? error.stack : String(error)}`);
      session.break('stopped');
    }
    throw new Broken('stopped');
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Scenario} scenario @param {import('./log.mjs').Log} log @param {any} facts @param {import('./session.mjs').Trace} trace */
function judge(scenario, log, facts, trace) {
  /** @type {Record<string, boolean>} */
  const judged = Object.create(null);
  for (const [id, test] of Object.entries(scenario.judge)) {
    try {
      judged[id] = test({ log, facts }) === true;
    } catch (error) {
      // A judge that trips over the shape of a result has seen a wrong result.
      trace(() => `judge ${id} threw: ${error instanceof Error ? error.stack : String(error)}`);
      judged[id] = false;
    }
    if (!judged[id]) trace(() => `judge ${id}: false`);
  }
  return judged;
}

/** @param {Session} session @param {Scenario} scenario @param {import('./rng.mjs').Rng} rng @param {Child} child @param {World} world */
async function play(session, scenario, rng, child, world) {
  await start(session, child, world);
  try {
    await load(session, world, scenario.dom === true);
  } catch (error) {
    if (error instanceof Broken && session.outcome === 'timeout') session.outcome = 'load-timeout';
    throw error;
  }
  const facts = await drive(scenario, session, new Driver(session, rng));
  await drain(session);
  return facts;
}

/**
 * @param {Scenario} scenario
 * @param {import('./rng.mjs').Rng} rng
 * @param {World} world
 * @returns {Promise<ScenarioResult>}
 */
export async function runScenario(scenario, rng, world) {
  world.trace(() => `== ${scenario.name}`);
  const session = new Session(world.trace);
  const child = new Child(world.child, world.attestation !== null, (frame) => session.receive(frame),
    (outcome) => session.break(outcome), world.trace);
  session.transmit = (frame) => child.send(frame);
  let facts;
  try {
    facts = await play(session, scenario, rng, child, world);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  } finally {
    await close(session, child, world);
  }
  const outcome = session.outcome ?? 'judged';
  world.trace(() => `   ${outcome}`);
  const judged = outcome === 'judged' ? judge(scenario, session.log, facts, world.trace) : {};
  return { name: scenario.name, outcome, judged, callFrames: session.callFrames };
}
