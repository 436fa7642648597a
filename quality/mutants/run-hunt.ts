import { mkdir, writeFile } from 'node:fs/promises';
import { readArguments } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { FAMILIES } from './families.ts';
import { hunt } from './hunt.ts';
import { countOriginal } from './stands-for.ts';
import { type Outcome, SEEN_BY } from './try-suspect.ts';

const HELP = `npm run lab -- hunt [options]

Starts services with one fault each (mutants), and correct ones that differ in what the document leaves open (lookalikes),
and runs the suite against them. A mutant must be killed, by a law that it breaks; a lookalike must not be refused. Prints
counts by family, and writes a row for each service into .hunt/hunt.md, which git ignores. Exit code 1: a mutant
survived, or a lookalike was refused. What is told of the list of commit 8b290824 counts those that went since as the one
that stands for them (stands-for.yaml).

  --seed N            seed of the generated inputs (default: 1)
  --only PATTERN      tries those whose name matches a regular expression only
  --default-options   tries them as a stranger's service, without what only --disposable allows (races are not found then)

Examples:
  npm run lab -- hunt --only '^list-|filter'
`;

const { values } = readArguments(HELP, {
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  'default-options': { type: 'boolean', default: false },
});
const { seed, only } = values;

const started = performance.now();
let tried = 0;
const disposable = !values['default-options'];
const outcomes = await hunt({ seed: Number(seed), disposable, only, onTried: report });
const seconds = Math.round((performance.now() - started) / 1000);
const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
const families = Object.entries(FAMILIES).flatMap(([family, suspects]) => {
  const [mutants, lookalikes] = suspects.map((all) => all.flatMap(({ name }) => byName.get(name) ?? []));
  const row = [family, ...counts(mutants), ...counts(lookalikes)];
  return row.slice(1).every((count) => count === '0') ? [] : [row];
});
const [mutants, lookalikes] = (['mutant', 'lookalike'] as const).map((kind) =>
  outcomes.filter((outcome) => outcome.kind === kind),
);
const head = ['Family', 'Mutants', 'Not killed', 'Lookalikes', 'Refused'];
const total = ['all', ...counts(mutants), ...counts(lookalikes)];
const alone = SEEN_BY.map(
  (by) => `${mutants?.filter(({ fault, onlyBy }) => fault === undefined && onlyBy === by).length} by ${by}`,
);
const [found, accepted] = [mutants, lookalikes].map((all = []) => {
  const { passed, total } = countOriginal(all.map(({ name, fault }) => [name, fault === undefined]));
  return `${passed} of ${total}`;
});
process.stdout.write(
  `${renderTable(head, [...families, total])}\n\nOf the list of commit 8b290824: ${found} mutants killed, ${accepted} lookalikes accepted.\nKilled by one kind of cases alone: ${alone.join(', ')}. Seed ${seed}, ${seconds} s.\n`,
);
const folder = new URL('../../.hunt/', import.meta.url);
await mkdir(folder, { recursive: true });
const table = renderTable(['Service', 'What is wrong, or how it differs', 'Suite'], outcomes.map(rowOf));
await writeFile(new URL('hunt.md', folder), `${table}\n`);
process.exitCode = outcomes.some(({ fault }) => fault !== undefined) ? 1 : 0;

/** How many there are, and how many have a fault. */
function counts(all: readonly Outcome[] = []): [string, string] {
  return [`${all.length}`, `${all.filter(({ fault }) => fault !== undefined).length}`];
}

/** Each outcome at once, and how far the hunt is. */
function report(outcome: Outcome, of: number): void {
  tried += 1;
  const [name, says, verdict] = rowOf(outcome);
  const line = outcome.fault === undefined ? `✓ ${name}: ${verdict}` : `✗ ${name}: ${verdict}\n    ${says}`;
  process.stdout.write(`${line}${outcome.fault === undefined ? '' : `\n    ${outcome.because}`}\n`);
  if (tried % 50 === 0 || tried === of) process.stderr.write(`${tried} of ${of} services\n`);
}

/** Name, sentence, verdict. */
function rowOf(outcome: Outcome): [string, string, string] {
  const { name, says, kind, laws, fault, exitCode, onlyBy } = outcome;
  if (fault !== undefined) return [name, says, fault];
  if (kind === 'lookalike') return [name, says, 'accepted'];
  const by = onlyBy ? ` (${onlyBy} only)` : '';
  return [name, says, laws.length > 0 ? `${laws.join(', ')}${by}` : `exit ${exitCode}`];
}
