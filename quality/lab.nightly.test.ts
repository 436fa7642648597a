import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, run } from './testing/command.ts';

const lab = (...args: string[]) => run(ROOT, ['node', 'quality/lab.ts', ...args], {}, 600_000);

describe('bench', () => {
  /** Noise on a busy machine stays below this factor. */
  const COLLAPSED = 2;
  const LIST_OF_PRISM = 10;
  let rows: Promise<string[][]> | undefined;

  async function figure(names: readonly string[], column: number): Promise<number> {
    rows ??= lab('bench', 'servers', '--rounds', '2', '--warming', '1').then(({ output }) =>
      output.split('\n').map((line) => line.split('|').map((cell) => cell.trim())),
    );
    const row = (await rows).find(([, ...cells]) => names.every((name, at) => cells[at] === name));
    return Number(row?.at(column));
  }

  /** Results on a mostly idle machine, by the names of operation and server. */
  test.each([
    ['start, of Prism', ['paddock'], -3, 0.4],
    ['memory, of Prism', ['paddock'], -2, 0.49],
    ['CPU time of a list, of a bare server', ['list', 'paddock'], -3, 1.32],
    ['CPU time of a read, of a bare server', ['read', 'paddock'], -3, 1.24],
    ['CPU time of a create, of a bare server', ['create', 'paddock'], -3, 1.25],
    ['CPU time of a 400, of a bare server', ['400', 'paddock'], -3, 1.25],
  ])('%s has not collapsed', async (_, names, column, measured) => {
    expect(await figure(names, column)).toBeLessThan(measured * COLLAPSED);
  });

  test('a list is many times as fast as that of Prism', async () => {
    expect(await figure(['list', 'paddock'], -2)).toBeGreaterThan(LIST_OF_PRISM / COLLAPSED);
  });
});

test('a sample of services of others shows its judged roots alone, and keeps the data of others', async ({
  skip,
}) => {
  const reports = await mkdtemp(join(tmpdir(), 'services-'));
  const { code, output } = await lab('services', 'alertmanager', 'powerdns', '--report', reports);
  if (code === 3) skip(`a service could not be installed or started:\n${output}`);
  expect(output).not.toMatch(/: not judged: /);
  expect(output).not.toMatch(/data of others removed or changed/);
  expect(output).toMatch(/^\| alertmanager .*\| +[1-9]\d* \|/m);
});
