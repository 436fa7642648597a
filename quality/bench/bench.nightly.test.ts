import { beforeAll, expect, test } from 'vitest';
import { ROOT, run } from '../testing/command.ts';

/** The noise of a busy machine stays below this factor. */
const COLLAPSED = 2;

const LIST_OF_PRISM = 10;

let rows: string[][];

beforeAll(async () => {
  const command = [
    'npm',
    'run',
    '--silent',
    'lab',
    '--',
    'bench',
    'servers',
    '--rounds',
    '2',
    '--warming',
    '1',
  ];
  const { output } = await run(ROOT, command, {}, 600_000);
  rows = output.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
}, 600_000);

/** By the names of operation and server, what is measured on a machine that does little else. */
test.each([
  ['start, of Prism', ['paddock'], -3, 0.4],
  ['memory, of Prism', ['paddock'], -2, 0.49],
  ['CPU time of a list, of a bare server', ['list', 'paddock'], -3, 1.32],
  ['CPU time of a read, of a bare server', ['read', 'paddock'], -3, 1.24],
  ['CPU time of a create, of a bare server', ['create', 'paddock'], -3, 1.25],
  ['CPU time of a 400, of a bare server', ['400', 'paddock'], -3, 1.25],
])('%s has not collapsed', (_, names, column, measured) => {
  expect(figure(names, column)).toBeLessThan(measured * COLLAPSED);
});

test('a list is many times as fast as that of Prism', () => {
  expect(figure(['list', 'paddock'], -2)).toBeGreaterThan(LIST_OF_PRISM / COLLAPSED);
});

function figure(names: readonly string[], column: number): number {
  const row = rows.find(([, ...cells]) => names.every((name, at) => cells[at] === name));
  return Number(row?.at(column));
}
