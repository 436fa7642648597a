import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPaddock } from '../quality/testing/paddock.ts';

const folder = await mkdtemp(join(tmpdir(), 'paddock-'));

test.for(['0/5', '6/5', '2', 'two/5', '1/1001', '-1/5'])('--shard %s is refused', async (shard) => {
  const { code, output } = await runPaddock(['check', 'http://127.0.0.1:1', `--shard=${shard}`]);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('--shard') });
});

test('the reports of all shards are joined, and one that is missing is named', async () => {
  const files = [1, 2].map((number) => join(folder, `${number}.json`));
  for (const [index, file] of files.entries()) {
    const shard = ['--plan', '--shard', `${index + 1}/2`, '--report', `json=${file}`];
    expect(await runPaddock(['check', 'http://127.0.0.1:1', ...shard])).toMatchObject({ code: 0 });
  }
  const whole = join(folder, 'whole.json');
  const merged = await runPaddock(['merge', ...files, '--report', `json=${whole}`]);
  expect(merged).toMatchObject({ code: 0, output: expect.stringContaining('Planned: nothing was sent') });
  const { cells, plan } = JSON.parse(await readFile(whole, 'utf8'));
  expect(new Set(cells.map(({ verdict }: { verdict: string }) => verdict))).not.toContain('skipped');
  expect(plan.operations.length).toBeGreaterThan(0);
  const half = await runPaddock(['merge', files[0] ?? '']);
  expect(half.output).toContain('Shard 2 of 2 is missing');
});

test('what is no report of a shard is refused, and so is a file that is not there', async () => {
  const file = join(folder, 'other.json');
  await writeFile(file, '{}');
  for (const [name, message] of [
    [file, 'is no JSON report of "paddock check"'],
    [join(folder, 'nothing.json'), 'ENOENT'],
  ] as const) {
    const { code, output } = await runPaddock(['merge', name]);
    expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  }
});
