import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { hunt } from './hunt.ts';
import { renderHunt, rowOf } from './hunt-table.ts';
import type { Outcome } from './try-suspect.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const write = (line: string) => process.stdout.write(`${line}\n`);

const started = performance.now();
const outcomes = await hunt({ seed: Number(values.seed), only: values.only });
for (const outcome of outcomes) write(lineOf(outcome));
const faulty = ({ fault }: Outcome) => fault !== undefined;
const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind);
const seconds = Math.round((performance.now() - started) / 1000);
write(
  `\nseed ${values.seed}: ${of('mutant').filter((one) => !faulty(one)).length} of ${of('mutant').length} mutants killed, ${of('lookalike').filter(faulty).length} of ${of('lookalike').length} lookalikes refused, ${seconds} s`,
);
if (values.only === undefined)
  await writeFile(new URL('../../docs/hunt.md', import.meta.url), renderHunt(outcomes));
process.exitCode = outcomes.some(faulty) ? 1 : 0;

function lineOf(outcome: Outcome): string {
  const [name, says, verdict] = rowOf(outcome);
  if (outcome.fault === undefined) return `✓ ${name}: ${verdict}`;
  return `✗ ${name}: ${outcome.fault}\n    ${says}\n    ${outcome.because}`;
}
