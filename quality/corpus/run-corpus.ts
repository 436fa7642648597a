import { writeFile } from 'node:fs/promises';
import { readArguments, refuse } from '../arguments.ts';
import { type Found, findDocuments } from './find-documents.ts';
import { measureCollections } from './measure-collections.ts';
import { readReasons } from './reasons.ts';
import { renderCollections } from './render-collections.ts';
import { renderCorpus } from './render-corpus.ts';
import { complaintsOf, outcomeOf, type Row } from './row.ts';
import { runDocuments } from './run-document.ts';

const HELP = `npm run corpus -- [options] FOLDER|PACKAGE|FILE...

Reads every OpenAPI document, starts the mock for it, runs the suite against the mock, and writes docs/corpus.md.
With --collections it writes docs/collections.md instead: what Paddock recognises in the documents of
quality/corpus/collections.yaml that are in the folders (which hold packages, as node_modules does) or packages.

  --collections     measure what is recognised
  --page FILE       the page to write (default: docs/corpus.md, docs/collections.md)
  --json FILE       writes all rows too
  --every N         tries each Nth document only (default: 1)
  --below N         tries those of less than N kB only (default: 1000000)
  --jobs N          documents at the same time (default: 1)
  --max-time N      seconds that a suite may take (default: 60)
  --max-memory N    MiB of heap of one process (default: 2048)

Examples:
  npm run corpus -- @scalar/galaxy
  npm run corpus -- --collections node_modules
  npm run corpus -- ~/documents --every 20 --below 300 --jobs 2
`;

const OPTIONS = {
  json: { type: 'string' },
  collections: { type: 'boolean', default: false },
  page: { type: 'string' },
  every: { type: 'string', default: '1' },
  below: { type: 'string', default: '1000000' },
  jobs: { type: 'string', default: '1' },
  'max-time': { type: 'string', default: '60' },
  'max-memory': { type: 'string', default: '2048' },
} as const;

const { values, positionals } = readArguments(HELP, OPTIONS);

const number = (name: 'every' | 'below' | 'jobs' | 'max-time' | 'max-memory') => {
  const value = Number(values[name]);
  return Number.isInteger(value) && value >= 1 ? value : refuse(`--${name} must be a whole number from 1 on`);
};
const limits = { jobs: number('jobs'), maxTime: number('max-time'), maxMemory: number('max-memory') };
const [every, below] = [number('every'), number('below') * 1000];
if (positionals.length === 0) refuse('name a folder or an installed package');

const page = values.page ?? pathOfPage(values.collections ? 'collections.md' : 'corpus.md');

if (values.collections) await runCollections();
else await runCorpus();

async function runCollections(): Promise<void> {
  const measured = await measureCollections(positionals).catch(refuseRange);
  if (measured.length === 0) refuse(`none of the judged documents is in ${positionals.join(' or ')}`);
  const text = renderCollections(measured);
  await writeFile(page, text);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(measured, null, 1)}\n`);
  process.stdout.write(text);
}

async function runCorpus(): Promise<void> {
  const documents = positionals
    .flatMap(documentsOf)
    .filter(({ bytes }) => bytes < below)
    .filter((_, index) => index % every === 0);
  const counted = (
    (done = 0) =>
    () =>
      `${++done}/${documents.length}`
  )();
  const rows = await runDocuments(documents, limits, (row) => {
    process.stdout.write(`${counted()} ${row.source}: ${row.document} ${outcomeOf(row)}${firstOf(row)}\n`);
  });
  await writeFile(page, renderCorpus(rows, readReasons()));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 1)}\n`);
}

function firstOf(row: Row): string {
  const complaints = outcomeOf(row) === 'agrees' ? [] : complaintsOf(row);
  return complaints.length === 0 ? '' : `: ${complaints[0]} (${complaints.length})`;
}

function documentsOf(named: string): Found[] {
  try {
    return findDocuments(named);
  } catch (error) {
    return refuseRange(error);
  }
}

function refuseRange(error: unknown): never {
  if (error instanceof RangeError) return refuse(error.message);
  throw error;
}

function pathOfPage(name: string): string {
  return new URL(`../../docs/${name}`, import.meta.url).pathname;
}
