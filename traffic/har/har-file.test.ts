import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openHarFile } from './har-file.ts';

async function pathIn(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'har-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'x.har');
}

const entriesOf = async (path: string) => JSON.parse(await readFile(path, 'utf8')).log.entries;

test('a longer file that was there before leaves nothing behind', async () => {
  const path = await pathIn();
  await writeFile(path, 'x'.repeat(10_000));
  const har = await openHarFile(path);
  har.begin().fill('{"a":1}');
  await har.close();
  expect(await entriesOf(path)).toEqual([{ a: 1 }]);
});

test('many entries behind one that is under way do not wait for it', async () => {
  const path = await pathIn();
  const har = await openHarFile(path);
  const first = har.begin();
  const text = JSON.stringify('x'.repeat(2 ** 20));
  for (let count = 0; count < 10; count++) har.begin().fill(text);
  await har.flush();
  expect((await entriesOf(path)).length).toBeGreaterThan(7);
  first.fill('"late"');
  const left = har.begin();
  left.leave();
  await har.close();
  const entries = await entriesOf(path);
  expect([entries.length, entries.includes('late')]).toEqual([11, true]);
  expect(har).toMatchObject({ dropped: 0, problem: undefined });
});

test('what comes faster than it can be written is dropped, and the file says so', async () => {
  const path = await pathIn();
  const har = await openHarFile(path);
  const text = JSON.stringify('x'.repeat(8 * 2 ** 20));
  for (let count = 0; count < 12; count++) har.begin().fill(text);
  expect(har.dropped).toBeGreaterThan(3);
  await har.close();
  const { log } = JSON.parse(await readFile(path, 'utf8'));
  expect(log.entries.length + har.dropped).toBe(12);
  expect(log.comment).toBe(`${har.dropped} exchanges were not kept`);
});

test('a file that cannot be written ends no traffic', async () => {
  const har = await openHarFile('/dev/full');
  har.begin().fill('{}');
  await har.close();
  expect(har.problem).toMatch(/ENOSPC/);
  await expect(openHarFile('/dev/null/x.har')).rejects.toThrow();
});

test('a private file is for its user alone, and keeps no more than it may', async () => {
  const path = await pathIn();
  const har = await openHarFile(path, { isPrivate: true, most: 25 });
  for (let count = 0; count < 3; count++) har.begin().fill('"ten chars"');
  await har.close();
  expect(await entriesOf(path)).toEqual(['ten chars', 'ten chars']);
  expect(har.dropped).toBe(1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a copy is whole, whatever is written meanwhile', async () => {
  const path = await pathIn();
  const har = await openHarFile(path);
  for (let count = 1; count <= 20; count++) {
    har.begin().fill(JSON.stringify('x'.repeat(2 ** 20)));
    const copied = har.copyTo(`${path}.copy`);
    har.begin().fill('"next"');
    void har.flush();
    await copied;
    expect(await entriesOf(`${path}.copy`)).toHaveLength(2 * count - 1);
  }
  await har.close();
  await expect(har.copyTo(join(path, 'below-a-file'))).rejects.toThrow();
});
