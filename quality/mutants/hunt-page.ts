import { FAMILIES } from './families.ts';
import { type Outcome, SEEN_BY } from './try-suspect.ts';

/** docs/hunt.md: the numbers of a whole hunt, and how many suspects there are of each family. */
export function renderHunt(outcomes: readonly Outcome[]): string {
  return `${[
    '# The hunt',
    '`npm run hunt` runs the suite over services with one fault each (_mutants_), and over correct ones that differ in what the document leaves open (_lookalikes_). It wrote this page, and `.hunt/hunt.md` with a row for each service; a test compares the table of families.',
    `The last whole hunt: **${countKilled(outcomes)} mutants killed, ${countRefused(outcomes)} lookalikes refused.**`,
    `Only ${describeOnly(outcomes)}: such faults need requests in a certain order, or at the same time.`,
    'A mutant counts as killed when a law that it breaks says so. Where no whole answer ever comes, nothing can be said of the contract: the exit code is then 3 or 4.',
    renderFamilies(),
  ].join('\n\n')}\n`;
}

/** How many suspects each family has: the part of the page that no hunt is needed for. */
export function renderFamilies(): string {
  const rows = Object.entries(FAMILIES).map(([family, [mutants, lookalikes]]) => {
    const documents = new Set([...mutants, ...lookalikes].map(({ document }) => document));
    return [family, mutants.length, lookalikes.length, documents.size].map(String);
  });
  return table(['Subject', 'Mutants', 'Lookalikes', 'Documents'], rows);
}

/** A row for each suspect. */
export function renderSuspects(outcomes: readonly Outcome[]): string {
  return `${table(['Service', 'What is wrong, or how it differs', 'Suite'], outcomes.map(rowOf))}\n`;
}

export const countKilled = (outcomes: readonly Outcome[]) =>
  count(outcomes, 'mutant', ({ fault }) => fault === undefined);
export const countRefused = (outcomes: readonly Outcome[]) =>
  count(outcomes, 'lookalike', ({ fault }) => fault !== undefined);

function count(outcomes: readonly Outcome[], kind: Outcome['kind'], is: (one: Outcome) => boolean): string {
  const all = outcomes.filter((outcome) => outcome.kind === kind);
  return `${all.filter(is).length} of ${all.length}`;
}

/** How many mutants are killed by one kind of cases alone. */
export function describeOnly(outcomes: readonly Outcome[]): string {
  const killed = outcomes.filter(({ kind, fault }) => kind === 'mutant' && fault === undefined);
  const number = (by: Outcome['onlyBy']) => killed.filter(({ onlyBy }) => onlyBy === by).length;
  return SEEN_BY.map((by) => `${by} kill ${number(by)} mutants`).join(', only ');
}

/** Name, sentence, verdict. */
export function rowOf(outcome: Outcome): [string, string, string] {
  const { name, says, kind, laws, fault, exitCode, onlyBy } = outcome;
  if (fault !== undefined) return [name, says, `**${fault}**`];
  if (kind === 'lookalike') return [name, says, 'accepted'];
  const by = onlyBy ? ` (${onlyBy} only)` : '';
  return [name, says, laws.length > 0 ? `${laws.join(', ')}${by}` : `exit ${exitCode}`];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/[|\\]/g, '\\$&')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
