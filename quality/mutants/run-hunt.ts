import { mkdir, writeFile } from 'node:fs/promises';
import { readArguments } from '../arguments.ts';
import { installedJudge } from '../testing/judges.ts';
import { hunt } from './hunt.ts';
import {
  countKilled,
  countRefused,
  describeOnly,
  PLAIN,
  renderHunt,
  renderSuspects,
  renderTotals,
  rowOf,
} from './hunt-page.ts';
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
  --judges        tries Prism's proxy and Dredd instead, and prints the table of docs/comparison.md

Examples:
  npm run hunt -- --only '^list-|filter'
`;

const { values } = readArguments(HELP, {
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  'default-options': { type: 'boolean', default: false },
  judges: { type: 'boolean', default: false },
});
const { seed, only, judges } = values;
const disposable = !values['default-options'];
const write = (line: string) => process.stdout.write(`${line}\n`);
const repository = new URL('../../', import.meta.url);

const started = performance.now();
// An objection of a judge counts only where it has none against the service without a fault.
const chosen = only !== undefined && judges ? `${only}|${PLAIN.source}` : only;
let tried = 0;
const outcomes = await hunt({ seed: Number(seed), disposable, only: chosen, judges, onTried: report });
for (const outcome of outcomes) write(lineOf(outcome));
const seconds = Math.round((performance.now() - started) / 1000);
write(
  `\nseed ${seed}: ${countKilled(outcomes)} mutants killed, ${countRefused(outcomes)} lookalikes refused, ${seconds} s; only ${describeOnly(outcomes)}`,
);
const folder = new URL('.hunt/', repository);
await mkdir(folder, { recursive: true });
await writeFile(new URL(judges ? 'judges.md' : 'hunt.md', folder), renderSuspects(outcomes));
if (judges) {
  const installed = await Promise.all((['dredd', 'prism'] as const).map(installedJudge));
  const versions = installed.map(({ judge, version }) => `${judge} ${version}`);
  write(`\n${versions.join(', ')}\n\n${renderTotals(outcomes)}`);
} else if (only === undefined && disposable)
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
  const others = objectionsTo(outcome);
  if (outcome.fault === undefined) return `✓ ${name}: ${verdict}${others}`;
  return `✗ ${name}: ${outcome.fault}\n    ${says}\n    ${outcome.because}${others}`;
}

/** The first objection of each judge. */
function objectionsTo({ verdicts }: Outcome): string {
  const lines = Object.entries(verdicts ?? {}).map(([judge, { judged, violations }]) => {
    const [first = 'no objection'] = violations;
    return `\n    ${judge}: ${judged === 0 ? 'says nothing' : first}`;
  });
  return lines.join('');
}
