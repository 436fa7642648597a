import { readArguments } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { FAMILIES } from './families.ts';
import { hunt } from './hunt.ts';
import { countOriginal } from './stands-for.ts';
import type { Outcome } from './try-suspect.ts';

const HELP = `npm run lab -- hunt [options]

Starts services with one fault each (mutants), and correct ones that differ in what the document leaves open (lookalikes),
and runs the suite against them. A mutant must be killed, by a law that it breaks; a lookalike must not be refused. Prints
each service, and counts by family. Exit code 1: a mutant survived, or a lookalike was refused. What is told of the list of
commit 8b290824 counts those that went since as the one that stands for them (stands-for.yaml).

  --seed N            seed of the generated inputs (default: 1)
  --only PATTERN      tries those whose name matches a regular expression only
  --default-options   tries them as a stranger's service, without what only --disposable allows (races are not found then)
  --presumed          holds them to presumed facts, too (--strict presumed)

Examples:
  npm run lab -- hunt --only '^list-|filter'
`;

const { values } = readArguments(HELP, {
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  'default-options': { type: 'boolean', default: false },
  presumed: { type: 'boolean', default: false },
});
const { seed, only } = values;

const started = performance.now();
let tried = 0;
const disposable = !values['default-options'];
const outcomes = await hunt({
  seed: Number(seed),
  disposable,
  only,
  onTried: report,
  strict: values.presumed ? ['presumed'] : [],
});
const seconds = Math.round((performance.now() - started) / 1000);
const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
const rows = Object.entries(FAMILIES).flatMap(([family, suspects]) => {
  const [mutants, lookalikes] = suspects.map((all) => all.flatMap(({ name }) => byName.get(name) ?? []));
  const counted = [...counts(mutants), ...counts(lookalikes)];
  return counted.every((count) => count === '0') ? [] : [[family, ...counted]];
});
const [mutants, lookalikes] = (['mutant', 'lookalike'] as const).map((kind) =>
  outcomes.filter((outcome) => outcome.kind === kind),
);
const head = ['Family', 'Mutants', 'Not killed', 'Lookalikes', 'Refused'];
const [killRate, acceptRate] = [mutants, lookalikes].map((all = []) => {
  const { passed, total } = countOriginal(all.map(({ name, fault }) => [name, fault === undefined]));
  return `${passed} of ${total}`;
});
process.stdout.write(`${renderTable(head, [...rows, ['all', ...counts(mutants), ...counts(lookalikes)]])}

Found by what speaks for the facts that are broken: ${bySigns(mutants)}.
Of the list of commit 8b290824: ${killRate} mutants killed, ${acceptRate} lookalikes accepted. Seed ${seed}, ${seconds} s.
`);
process.exitCode = outcomes.some(({ fault }) => fault !== undefined) ? 1 : 0;

/** The number of mutants killed, by the signs of the facts, in descending order: `30 name+schema`. */
function bySigns(all: readonly Outcome[] = []): string {
  const killed = all.filter(({ fault }) => fault === undefined);
  const groups = Map.groupBy(
    killed.flatMap(({ signs }) => signs),
    (signs) => signs,
  );
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([signs, { length }]) => `${length} ${signs}`)
    .join(', ');
}

/** The number of outcomes, and of those with a fault. */
function counts(all: readonly Outcome[] = []): [string, string] {
  return [`${all.length}`, `${all.filter(({ fault }) => fault !== undefined).length}`];
}

/** Prints each outcome immediately, and the progress of the hunt. */
function report({ name, says, kind, laws, fault, exitCode, because }: Outcome, of: number): void {
  tried += 1;
  const verdict = kind === 'lookalike' ? 'accepted' : laws.join(', ') || `exit ${exitCode}`;
  process.stdout.write(
    fault === undefined ? `✓ ${name}: ${verdict}\n` : `✗ ${name}: ${fault}\n    ${says}\n    ${because}\n`,
  );
  if (tried % 50 === 0 || tried === of) process.stderr.write(`${tried} of ${of} services\n`);
}
