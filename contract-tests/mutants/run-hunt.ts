import { parseArgs } from 'node:util';
import { hunt, type Outcome } from './hunt.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const write = (line: string) => process.stdout.write(`${line}\n`);

const started = performance.now();
const outcomes = await hunt({
  seed: Number(values.seed),
  ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
});
for (const outcome of outcomes) write(lineOf(outcome));
const faults = outcomes.filter(({ fault }) => fault !== undefined);
const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
const bad = (kind: Outcome['kind']) => faults.filter((outcome) => outcome.kind === kind).length;
write(
  `seed ${values.seed}: ${count('mutant') - bad('mutant')} of ${count('mutant')} mutants killed, ${bad('lookalike')} of ${count('lookalike')} lookalikes refused, ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

function lineOf({ suspect, kind, fault, laws, because, exitCode }: Outcome): string {
  if (fault !== undefined) return `✗ ${kind} ${suspect.name}: ${fault}\n    ${suspect.says}\n    ${because}`;
  return `✓ ${suspect.name}: ${kind === 'lookalike' ? 'accepted' : laws.join(', ') || `exit ${exitCode}`}`;
}
