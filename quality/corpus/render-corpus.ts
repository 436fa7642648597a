import { markdownTable, percent } from './markdown-table.ts';
import { explained, type Reason } from './reasons.ts';
import { OUTCOMES, type Outcome, outcomeOf, type Row } from './row.ts';

/** The page of a run: counts for each source, and a row for each exception. */
export function renderCorpus(rows: readonly Row[], reasons: readonly Reason[]): string {
  const count = (outcome: Outcome, among = rows) => among.filter((row) => outcomeOf(row) === outcome).length;
  const sources = [...new Set(rows.map(({ source }) => source))];
  const read = rows.length - count('is refused');
  const judged = read - count('promises nothing');
  const counts = sources.map((source) => {
    const own = rows.filter((row) => row.source === source);
    const outcomes = OUTCOMES.map((one) => count(one, own));
    return [source, own.length, ...outcomes, ...mediansOf(own)].map(String);
  });
  const exceptions = rows
    .filter((row) => !['agrees', 'promises nothing'].includes(outcomeOf(row)))
    .flatMap((row) =>
      explained(row, reasons).map(([complaint, reason]) => [
        `${row.source}: ${row.document}`,
        outcomeOf(row),
        shortened(complaint),
        reason?.fault ?? '**open**',
        reason?.why ?? 'nobody has looked into it',
      ]),
    );
  return `${[
    '# Documents of others',
    '`npm run corpus -- FOLDER|PACKAGE...` reads every OpenAPI document of folders and installed packages, starts the mock for each and runs the suite against it, each in a process with limits of time and memory. It wrote this page.',
    `**${rows.length} documents: ${read} read; ${count('agrees')} of the ${judged} that promise anything with a mock that the suite accepts (${percent(count('agrees'), judged)}), ${count('crashes')} crashed or without an end.**`,
    'Start and memory are medians, to the first response, of a whole process; the suite runs in the same process afterwards. A document without any documented response promises nothing.',
    markdownTable(
      [
        'Source',
        'Documents',
        'Agree',
        'Disagree',
        'Promise nothing',
        'Refused',
        'Crashed',
        'Operations',
        'Stateful',
        'Start',
        'Memory',
        'Suite',
      ],
      counts,
    ),
    '## Exceptions',
    exceptions.length === 0
      ? 'There is none.'
      : 'Complaints of a document that have the same reason are one row, with the first of them. The reasons are those of `quality/corpus/reasons.yaml`.',
    ...(exceptions.length === 0
      ? []
      : [markdownTable(['Document', 'It', 'What came', 'Fault', 'Why'], exceptions)]),
  ].join('\n\n')}\n`;
}

function mediansOf(rows: readonly Row[]): string[] {
  const starts = rows.flatMap(({ start }) => start ?? []);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const stateful = sum(starts.map((start) => start.stateful));
  return [
    String(stateful + sum(starts.map((start) => start.sampled))),
    String(stateful),
    `${median(starts.map(({ ms }) => ms))} ms`,
    `${median(starts.map(({ mib }) => mib))} MiB`,
    `${median(rows.flatMap(({ check }) => check?.ms ?? []))} ms`,
  ];
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

const LONGEST = 200;
const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
