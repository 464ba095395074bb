// `node describe.mjs <grader file>`: ids, texts and scenarios as JSON, after checking them under many seeds.
import { argv, exit, stderr, stdout } from 'node:process';
import { MachineryError } from './attest.mjs';
import { drawScenarios, loadGrader } from './grader.mjs';

const SEEDS = 50;

try {
  const grader = await loadGrader(argv[2]);
  const drawn = Array.from({ length: SEEDS }, (_, seed) => drawScenarios(grader, seed).scenarios);
  const names = new Set(drawn.flat().map(({ name }) => name));
  stdout.write(`${JSON.stringify({
    entry: grader.entry,
    assertionIds: Object.keys(grader.assertions).sort(),
    safetyAssertionIds: [...grader.safety].sort(),
    texts: grader.assertions,
    scenarios: [...names].sort(),
  })}\n`);
} catch (error) {
  if (!(error instanceof MachineryError)) throw error;
  stderr.write(`${error.message}\n`);
  exit(1);
}
