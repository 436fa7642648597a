import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compat } from './index.ts';
import type { DocumentPair } from './testing/documents.ts';
import { FURTHER_PAIRS } from './testing/further-pairs.ts';
import { pairFor } from './testing/oasdiff-pairs.ts';

interface Group {
  readonly level: string;
  readonly verdict: string;
  readonly why?: string;
  readonly checks: string;
}

/** Name, level, verdict and reason of each check. */
const CHECKS = (parse(await readFile('compat/testing/oasdiff-checks.yaml', 'utf8')) as Group[]).flatMap(
  ({ level, verdict, why = '', checks }) => checks.split(' ').map((check) => [check, level, verdict, why]),
);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compat-'));
});

async function said(pair: DocumentPair): Promise<string> {
  const files = [join(folder, 'old.json'), join(folder, 'new.json')] as const;
  for (const [index, file] of files.entries())
    await writeFile(file, JSON.stringify(pair[index], undefined, 1));
  const { exitCode, findings, notices } = await compat(...files, { examples: 0 });
  if (exitCode === 1) return 'breaking';
  expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  return notices.length > 0 ? 'warning' : 'not reported';
}

test('all checks are there', () => {
  expect(CHECKS.length).toBeGreaterThan(500);
});

test('what is said otherwise than by oasdiff has a reason', () => {
  const expected: Readonly<Record<string, string>> = {
    ERR: 'breaking',
    WARN: 'warning',
    INFO: 'not reported',
  };
  const others = CHECKS.filter(([, level = '', verdict]) => expected[level] !== verdict);
  expect(others.filter((cells) => cells[3] === '').map(([check]) => check)).toEqual([]);
});

test.for(CHECKS)('%s', async ([check = '', , verdict]) => {
  const pair = pairFor(check);
  expect(pair && (await said(pair))).toBe(verdict);
});

test.for(Object.entries(FURTHER_PAIRS))('%s', async ([, pair]) => {
  expect(await said(pair)).toBe('breaking');
});
