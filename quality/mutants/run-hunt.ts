import { mkdir, writeFile } from 'node:fs/promises';
import { readArguments } from '../arguments.ts';
import { hunt } from './hunt.ts';
import { countKilled, countRefused, describeOnly, renderHunt, renderSuspects, rowOf } from './hunt-page.ts';
import type { Outcome } from './try-suspect.ts';

const HELP = `npm run hunt -- [options]

Starts each mutant of a mock and each lookalike, a correct service that resembles a mutant, and runs the suite against it.
A mutant must be found, and a lookalike must not. Writes docs/hunt.md, and a row for each of them into .hunt/, which git
ignores. Exit code 1: a mutant survived, or a lookalike was refused.

  --seed N        seed of the generated inputs (default: 1)
  --only PATTERN  tries those whose name matches a regular expression only, and leaves docs/hunt.md as it is
  --default-options
                  tries them as a stranger's service, without what only --disposable allows (races are not found then),
                  and leaves docs/hunt.md as it is

Examples:
  npm run hunt -- --only '^list-|filter'
`;

const { values } = readArguments(HELP, {
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  'default-options': { type: 'boolean', default: false },
});
const { seed, only } = values;
const disposable = !values['default-options'];
const write = (line: string) => process.stdout.write(`${line}\n`);
const repository = new URL('../../', import.meta.url);

const started = performance.now();
let tried = 0;
const outcomes = await hunt({ seed: Number(seed), disposable, only, onTried: report });
for (const outcome of outcomes) write(lineOf(outcome));
const seconds = Math.round((performance.now() - started) / 1000);
write(
  `\nseed ${seed}: ${countKilled(outcomes)} mutants killed, ${countRefused(outcomes)} lookalikes refused, ${seconds} s; only ${describeOnly(outcomes)}`,
);
const folder = new URL('.hunt/', repository);
await mkdir(folder, { recursive: true });
await writeFile(new URL('hunt.md', folder), renderSuspects(outcomes));
if (only === undefined && disposable)
  await writeFile(new URL('docs/hunt.md', repository), renderHunt(outcomes));
process.exitCode = outcomes.some(({ fault }) => fault !== undefined) ? 1 : 0;

/** Progress: what is wrong at once, and how far the hunt is. */
function report(outcome: Outcome, total: number): void {
  tried += 1;
  if (outcome.fault !== undefined) process.stderr.write(`${lineOf(outcome)}\n`);
  if (tried % 50 === 0 || tried === total) process.stderr.write(`${tried} of ${total} suspects\n`);
}

function lineOf(outcome: Outcome): string {
  const [name, says, verdict] = rowOf(outcome);
  if (outcome.fault === undefined) return `✓ ${name}: ${verdict}`;
  return `✗ ${name}: ${outcome.fault}\n    ${says}\n    ${outcome.because}`;
}
