import { FAMILIES } from './families.ts';
import type { JudgeVerdict } from './judges.ts';
import { SHIPPED_DOCUMENT } from './suspect.ts';
import { type Outcome, SEEN_BY } from './try-suspect.ts';

/** docs/hunt.md: the numbers of a whole hunt, and how many suspects there are of each family. */
export function renderHunt(outcomes: readonly Outcome[]): string {
  return `${[
    '# The hunt',
    '`npm run hunt` runs the suite over services with one fault each (_mutants_), and over correct ones that differ in what the document leaves open (_lookalikes_). It wrote this page, and `.hunt/hunt.md` with a row for each service; a test compares the table of families. [comparison.md](comparison.md#as-judges-of-the-hunt) has what Dredd and Prism see of the same.',
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

/** A row for each suspect, with what Dredd and Prism see of it if they were asked. */
export function renderSuspects(outcomes: readonly Outcome[]): string {
  const judged = outcomes.some(({ verdicts }) => verdicts) ? ['Dredd', 'Prism'] : [];
  const rows = outcomes.map((outcome) => [
    ...rowOf(outcome),
    ...(judged.length > 0 ? judgedBy(outcome, outcomes) : []),
  ]);
  return `${table(['Service', 'What is wrong, or how it differs', 'Suite', ...judged], rows)}\n`;
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

/** The table of docs/comparison.md: how many each judge has caught, and how many correct services it refused. */
export function renderTotals(outcomes: readonly Outcome[]): string {
  const groups = [true, false].map((own) =>
    outcomes.filter((one) => (one.document === SHIPPED_DOCUMENT) === own),
  );
  const cell = (words: readonly string[], word: string) => {
    const silent = words.filter((one) => one === SILENT).length;
    const counted = `${words.filter((one) => one === word).length} of ${words.length}`;
    return silent > 0 ? `${counted}; of ${silent} it says nothing` : counted;
  };
  const line = (title: string, judge: 0 | 1 | 2) => [
    title,
    ...groups.flatMap((group) => {
      const words = (kind: Outcome['kind']) =>
        group
          .filter((one) => one.kind === kind)
          .map((one) => [ofSuite(one), ...judgedBy(one, outcomes)][judge] ?? '');
      return [cell(words('mutant'), 'killed'), cell(words('lookalike'), 'refused')];
    }),
  ];
  return table(
    [
      '',
      ...['Pet Store', 'Other documents'].flatMap((title) => [
        `${title}: mutants caught`,
        'lookalikes refused',
      ]),
    ],
    [line('The suite', 0), line('Dredd', 1), line("Prism's proxy", 2)],
  );
}

/** Correct services: an objection to one of them is not caused by a fault. */
export const PLAIN = /-as-it-is$/;
/** The judge judged none of the responses. */
const SILENT = 'says nothing';

function ofSuite({ kind, fault }: Outcome): string {
  if (kind === 'mutant') return fault === undefined ? 'killed' : 'not seen';
  return fault === undefined ? 'accepted' : 'refused';
}

/** What Dredd and Prism say of a suspect. */
function judgedBy({ kind, document, verdicts }: Outcome, outcomes: readonly Outcome[]): string[] {
  if (!verdicts) return ['', ''];
  const plain = outcomes.find((one) => PLAIN.test(one.name) && one.document === document)?.verdicts;
  return (['dredd', 'prism'] as const).map((judge) => {
    const { judged, violations } = verdicts[judge];
    if (judged === 0) return SILENT;
    const always = kind === 'mutant' ? subjectsOf(plain?.[judge]) : new Set<string>();
    const isRefused = violations.some((text) => !always.has(subjectOf(text)));
    return kind === 'mutant' ? (isRefused ? 'killed' : 'not seen') : isRefused ? 'refused' : 'accepted';
  });
}

const subjectsOf = (verdict: JudgeVerdict | undefined) => new Set(verdict?.violations.map(subjectOf));
/** The operation and the status of the response. */
const subjectOf = (violation: string) => violation.replace(/: .*/s, '');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/[|\\]/g, '\\$&')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
