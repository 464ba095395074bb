// A scripted agent: answers with solutions that it brings along, and says so. `wrong=<run>` makes first attempts fail.
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';

const [home, ...options] = process.argv.slice(2);
const request = JSON.parse(readFileSync(0, 'utf8'));
const run = request.runId.split('/').at(-1);
const repetition = Number(run.split('-').at(-1));
const fails = options.includes(`wrong=${run}`) && !request.feedback;
const place = `${home}/${fails ? 'wrong' : 'right'}/${request.taskId}`;
const answers = readdirSync(place).sort();
const answer = `${place}/${answers[repetition % answers.length]}`;
for (const path of request.allowedOutputPaths) {
  if (existsSync(`${answer}/${path}`)) cpSync(`${answer}/${path}`, `${request.outputDir}/${path}`);
}
process.stdout.write(JSON.stringify({
  schemaVersion: 1,
  runId: request.runId,
  taskId: request.taskId,
  status: 'completed',
  runner: { name: 'answering-agent', version: '2.0.1' },
  model: { id: 'fixed-answers', settings: {} },
}));
