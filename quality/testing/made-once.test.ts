import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeOnce } from './made-once.ts';

const fresh = () => join(mkdtempSync(join(tmpdir(), 'once-')), 'made');

test('of several that want a folder one makes it', async () => {
  const folder = fresh();
  let made = 0;
  const make = (empty: string) => writeFile(join(empty, 'file'), `${++made}`);
  expect(await Promise.all([madeOnce(folder, make), madeOnce(folder, make)])).toEqual([folder, folder]);
  expect(await readFile(join(folder, 'file'), 'utf8')).toBe('1');
  expect(existsSync(`${folder}.lock`)).toBe(false);
});

test('what fails is not kept, and the next one tries again', async () => {
  const folder = fresh();
  const failing = async (empty: string) => {
    writeFileSync(join(empty, 'half'), '');
    throw new Error('no registry');
  };
  await expect(madeOnce(folder, failing)).rejects.toThrow('no registry');
  await madeOnce(folder, (empty) => writeFile(join(empty, 'whole'), ''));
  expect(['half', 'whole'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
});

test('nobody waits for a process that has ended', async () => {
  const folder = fresh();
  // No system has a process with this id.
  writeFileSync(`${folder}.lock`, `${2 ** 30}`);
  expect(await madeOnce(folder, async () => {})).toBe(folder);
});
