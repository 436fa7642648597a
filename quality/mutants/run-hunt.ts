import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { hunt } from './hunt.ts';
import { renderHunt, rowOf, tellOnly } from './hunt-table.ts';
import { PLAIN } from './judged-row.ts';
import type { Outcome } from './try-suspect.ts';
import { lineOfJudges, writeJudges } from './write-judges.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    judges: { type: 'boolean', default: false },
  },
});
const { seed, only, judges } = values;
const write = (line: string) => process.stdout.write(`${line}\n`);

const started = performance.now();
// An objection of a judge counts only where it has none against the service without a fault.
const chosen = only !== undefined && judges ? `${only}|${PLAIN.source}` : only;
const outcomes = await hunt({ seed: Number(seed), only: chosen, judges });
for (const outcome of outcomes) write(lineOf(outcome));
const faulty = ({ fault }: Outcome) => fault !== undefined;
const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind);
const seconds = Math.round((performance.now() - started) / 1000);
write(
  `\nseed ${seed}: ${of('mutant').filter((one) => !faulty(one)).length} of ${of('mutant').length} mutants killed, ${of('lookalike').filter(faulty).length} of ${of('lookalike').length} lookalikes refused, ${seconds} s; only ${tellOnly(outcomes)}`,
);
if (judges) await writeJudges(outcomes);
else if (only === undefined)
  await writeFile(new URL('../../docs/hunt.md', import.meta.url), renderHunt(outcomes));
process.exitCode = outcomes.some(faulty) ? 1 : 0;

function lineOf(outcome: Outcome): string {
  const [name, says, verdict] = rowOf(outcome);
  const others = lineOfJudges(outcome);
  if (outcome.fault === undefined) return `✓ ${name}: ${verdict}${others}`;
  return `✗ ${name}: ${outcome.fault}\n    ${says}\n    ${outcome.because}${others}`;
}
