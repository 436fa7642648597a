import { LAWS } from '../../contract-tests/laws/law.ts';
import { type Outcome, SEEN_BY } from './try-suspect.ts';

/** The page of a hunt: every mutant with the laws that killed it, every lookalike. */
export function renderHunt(outcomes: readonly Outcome[]): string {
  const mutants = outcomes.filter(({ kind }) => kind === 'mutant');
  const lookalikes = outcomes.filter(({ kind }) => kind === 'lookalike');
  const killed = mutants.filter(({ fault }) => fault === undefined).length;
  const refused = lookalikes.filter(({ fault }) => fault !== undefined).length;
  return `${[
    '# The hunt',
    '`npm run hunt` runs the suite over services with one fault each (_mutants_), and over correct ones that differ in what the document leaves open (_lookalikes_). It wrote this page; a test compares it. What Dredd and Prism see of the same is in [judges.md](judges.md).',
    `**${killed} of ${mutants.length} mutants killed, ${refused} of ${lookalikes.length} lookalikes refused.**`,
    `Only ${tellOnly(outcomes)}: such faults need requests in a certain order, or at the same time.`,
    'A mutant counts as killed when a law that it breaks says so. Where no whole answer ever comes, nothing can be said of the contract: the exit code is then 3 or 4.',
    '## Mutants',
    table(['Mutant', 'What is wrong', 'Killed by'], mutants.map(rowOf)),
    '## Lookalikes',
    table(['Lookalike', 'How it differs', 'Verdict'], lookalikes.map(rowOf)),
    '## Laws',
    table(['Law', 'It says'], Object.entries(LAWS)),
  ].join('\n\n')}\n`;
}

/** How many mutants are killed by one kind of cases alone. */
export function tellOnly(outcomes: readonly Outcome[]): string {
  const killed = outcomes.filter(({ kind, fault }) => kind === 'mutant' && fault === undefined);
  const count = (by: Outcome['onlyBy']) => killed.filter(({ onlyBy }) => onlyBy === by).length;
  return SEEN_BY.map((by) => `${by} kill ${count(by)} mutants`).join(', only ');
}

/** Name, sentence, verdict. */
export function rowOf({
  name,
  says,
  kind,
  laws,
  fault,
  exitCode,
  onlyBy,
}: Outcome): [string, string, string] {
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
