import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readArguments } from './arguments.ts';
import { renderTable } from './table.ts';
import { ROOMS, readsDocuments, vocabularyOf, wordsOfPattern } from './vocabulary.ts';

const HELP = `npm run lab -- meaning [options]

Counts what decides by English what a document means, by room, in the tracked production files of spec, mock, contract-tests,
traffic, compat and console:

  expressions   regular expressions, also made of texts, with a word in them: three letters in a row or more, without escapes
                and classes
  lists         lists of three words or more: arrays, sets, keys and values of tables of texts, texts that are split, rows of
                tables in templates, and data files
  words         the words of both
  prose         places that read a description or a summary of a document

Terms of HTTP, formats and JSON Schema are no words (quality/vocabulary.ts), and these are left out: tests; what reads and writes
files, HTTP and XML; texts of reports, command line and pages. So it counts some lists that are never held against a name; as
many before as after.

  --folder PATH   another checkout (default: this one)
  --files         each file, too
  --list          each expression and list, too

Examples:
  npm run lab -- meaning
  npm run lab -- meaning --folder ../before --files
`;

const { values } = readArguments(HELP, {
  folder: { type: 'string', default: '.' },
  files: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
});

interface Count {
  expressions: number;
  lists: number;
  words: number;
  prose: number;
}

const files = execFileSync('git', ['ls-files', '-z'], { cwd: values.folder, encoding: 'utf8' })
  .split('\0')
  .filter(readsDocuments);
const counts = new Map<string, Count>();
for (const file of files) {
  const found = countOf(file);
  if (found) counts.set(file, found);
}

function countOf(file: string): Count | undefined {
  const source = readFileSync(join(values.folder, file), 'utf8');
  if (/\.tsx?$/.test(file)) {
    const { expressions, lists, prose } = vocabularyOf(source, file);
    if (values.list)
      for (const line of [...expressions.map((one) => `/${one}/`), ...lists.map((one) => one.join(' '))])
        process.stdout.write(`${file}: ${line}\n`);
    return {
      expressions: expressions.length,
      lists: lists.length,
      words: [...lists, ...expressions.map(wordsOfPattern)].flat().length,
      prose: prose.length,
    };
  }
  if (!/\.(?:json|ya?ml|txt|csv)$/.test(file)) return undefined;
  const words = textsIn(/\.txt$|\.csv$/.test(file) ? source.split(/\s+/) : parse(source));
  return { expressions: 0, lists: 1, words: words.length, prose: 0 };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter((word) => /^[a-z][a-z-]+$/.test(word));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : textsIn(key)),
    ...textsIn(inner),
  ]);
}

const KEYS = ['expressions', 'lists', 'words', 'prose'] as const;

function sumOf(isMeant: (file: string) => boolean): string[] {
  const own = [...counts].flatMap(([file, count]) => (isMeant(file) ? [count] : []));
  return KEYS.map((key) => String(own.reduce((sum, one) => sum + one[key], 0)));
}

const rows = [
  ...ROOMS.map((room) => [room, ...sumOf((file) => file.startsWith(`${room}/`))]),
  ['all', ...sumOf(() => true)],
];
process.stdout.write(`${renderTable(['Room', 'Expressions', 'Lists', 'Words', 'Prose'], rows)}\n`);
if (values.files) {
  const each = [...counts].filter(([, count]) => KEYS.some((key) => count[key] > 0));
  process.stdout.write(
    `\n${renderTable(
      ['File', 'Expressions', 'Lists', 'Words', 'Prose'],
      each.map(([file, count]) => [file, ...KEYS.map((key) => String(count[key]))]),
    )}\n`,
  );
}
