import { writeFile } from 'node:fs/promises';
import { readArguments, refuse } from '../arguments.ts';
import { median, renderTable } from '../table.ts';
import { findDocuments } from './find-documents.ts';
import { OUTCOMES, outcomeOf, type Row, runDocuments } from './run-documents.ts';

const HELP = `npm run lab -- corpus [options] FOLDER|PACKAGE|FILE...

Reads every OpenAPI document, starts the mock for it, and runs the suite against the mock, each in a process of its own.
Prints counts for each folder or package, and what is wrong with each document that does not agree.

  --every N         tries each Nth document only (default: 1)
  --jobs N          documents at the same time (default: 1)
  --max-time N      seconds that a suite may take (default: 60)
  --max-memory N    MiB of heap of one process (default: 2048)
  --json FILE       writes all rows, too

Examples:
  npm run lab -- corpus @scalar/galaxy
  npm run lab -- corpus ~/documents --every 20 --jobs 2
`;

const { values, positionals } = readArguments(HELP, {
  every: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '1' },
  'max-time': { type: 'string', default: '60' },
  'max-memory': { type: 'string', default: '2048' },
  json: { type: 'string' },
});
const number = (name: 'every' | 'jobs' | 'max-time' | 'max-memory') => {
  const value = Number(values[name]);
  return Number.isInteger(value) && value >= 1 ? value : refuse(`--${name} must be a whole number from 1 on`);
};
const limits = { jobs: number('jobs'), maxTime: number('max-time'), maxMemory: number('max-memory') };
const every = number('every');
if (positionals.length === 0) refuse('name a folder or an installed package');

const documents = positionals.flatMap(findDocuments).filter((_, index) => index % every === 0);
let done = 0;
const rows = await runDocuments(documents, limits, (row) => {
  done += 1;
  process.stderr.write(`${done}/${documents.length} ${row.source}: ${row.document} ${outcomeOf(row)}\n`);
});
const sources = [...new Set(rows.map(({ source }) => source))].map((source) => countsOf(source));
const head = ['Source', 'Documents', ...OUTCOMES, 'Operations', 'Stateful', 'Start, ms', 'MiB', 'Suite, ms'];
process.stdout.write(`${renderTable(head, sources)}\n`);
const exceptions = rows.filter((row) => !['agrees', 'promises nothing'].includes(outcomeOf(row)));
const seen = exceptions.map((row) => [`${row.source}: ${row.document}`, outcomeOf(row), complaintOf(row)]);
if (seen.length > 0)
  process.stdout.write(`\n${renderTable(['Document', 'Outcome', 'First problem'], seen)}\n`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 1)}\n`);

function countsOf(source: string): string[] {
  const sourceRows = rows.filter((row) => row.source === source);
  const starts = sourceRows.flatMap(({ start }) => start ?? []);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const figures = [
    sourceRows.length,
    ...OUTCOMES.map((outcome) => sourceRows.filter((row) => outcomeOf(row) === outcome).length),
    sum(starts.map(({ operations }) => operations)),
    sum(starts.map(({ stateful }) => stateful)),
    median(starts.map(({ ms }) => ms)),
    median(starts.map(({ mib }) => mib)),
    median(sourceRows.flatMap(({ check }) => check?.ms ?? [])),
  ];
  return [source, ...figures.map(String)];
}

/** The first complaint, and the number of them. */
function complaintOf({ refused, crash, check }: Row): string {
  const [first = `exit ${check?.exitCode}`, ...others] = check?.complaints ?? [];
  const text = refused ?? crash ?? first;
  return `${text.slice(0, 150)}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
}
