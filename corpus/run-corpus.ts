import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Found, findDocuments } from './find-documents.ts';
import { measureCollections } from './measure-collections.ts';
import { readReasons } from './reasons.ts';
import { renderCollections } from './render-collections.ts';
import { renderCorpus } from './render-corpus.ts';
import { complaintsOf, outcomeOf, type Row } from './row.ts';
import { runDocuments } from './run-document.ts';

/**
 * `npm run corpus -- FOLDER|PACKAGE...` writes docs/corpus.md. `--json FILE` writes all rows too, `--every 20` tries each
 * twentieth document only, `--below 300` those of less than 300 kB; `--jobs`, `--max-time` (seconds of a suite) and
 * `--max-memory` (MiB of heap) bound what it takes.
 *
 * `npm run corpus -- --collections FOLDER|PACKAGE...` writes docs/collections.md instead: what Paddock recognises, held
 * against `collections.yaml`. A folder is one that holds packages, such as `node_modules`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    collections: { type: 'boolean', default: false },
    page: { type: 'string' },
    every: { type: 'string', default: '1' },
    below: { type: 'string', default: '1000000' },
    jobs: { type: 'string', default: '1' },
    'max-time': { type: 'string', default: '60' },
    'max-memory': { type: 'string', default: '2048' },
  },
});

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
  return new URL(`../docs/${name}`, import.meta.url).pathname;
}

function refuse(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(2);
}
