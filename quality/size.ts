import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { readArguments } from './arguments.ts';
import { renderTable } from './table.ts';

const HELP = `npm run lab -- size

Counts the tracked files of the working tree: lines and files of code and of data that code reads, by room (a folder of
the first level); what serves tests alone in columns of its own; and the words of all tracked Markdown.

Examples:
  npm run lab -- size
`;

readArguments(HELP, {});

// Must not change, so that figures of different commits can be compared.
const CODE = new Set(['.ts', '.tsx', '.js', '.mjs', '.cts', '.css']);
/** Counted inside rooms only; at the top level these are settings of tools, and generated files. */
const DATA = new Set([
  '.json',
  '.yaml',
  '.yml',
  '.html',
  '.svg',
  '.txt',
  '.lua',
  '.bash',
  '.zsh',
  '.fish',
  '.liquid',
]);
const NEITHER = /\.test\.|(^|\/)(fixtures|docs|examples)\//;
const FOR_TESTS = /(^|\/)testing\/|\.cases\.ts$/;

interface Size {
  lines: number;
  files: number;
  testLines: number;
  testFiles: number;
}

const root = new URL('../', import.meta.url);
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);
const read = (path: string) => readFileSync(new URL(encodeURI(path), root), 'utf8');

const rooms = new Map<string, Size>();
const total: Size = { lines: 0, files: 0, testLines: 0, testFiles: 0 };
for (const path of tracked.filter(isCounted)) {
  const room = path.includes('/') ? path.slice(0, path.indexOf('/')) : '(first level)';
  const size = rooms.get(room) ?? { lines: 0, files: 0, testLines: 0, testFiles: 0 };
  rooms.set(room, size);
  const lines = read(path).split('\n').length - 1;
  for (const sum of [size, total]) {
    if (FOR_TESTS.test(path)) {
      sum.testLines += lines;
      sum.testFiles += 1;
    } else {
      sum.lines += lines;
      sum.files += 1;
    }
  }
}
const words = tracked
  .filter((path) => path.endsWith('.md'))
  .reduce((sum, path) => sum + read(path).split(/\s+/).filter(Boolean).length, 0);

const rows = [...rooms].sort(([, a], [, b]) => b.lines - a.lines);
const table = renderTable(
  ['Room', 'Lines', 'Files', 'Lines for tests', 'Files for tests'],
  [...rows, ['all', total] as const].map(([room, size]) => [
    room,
    ...[size.lines, size.files, size.testLines, size.testFiles].map((number) => number.toLocaleString('en')),
  ]),
);
process.stdout.write(`${table}\n\n${words.toLocaleString('en')} words in *.md\n`);

function isCounted(path: string): boolean {
  if (NEITHER.test(path) || path.startsWith('.')) return false;
  return CODE.has(extname(path)) || (path.includes('/') && DATA.has(extname(path)));
}
