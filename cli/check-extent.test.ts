import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { runPaddock } from '../quality/testing/paddock.ts';

const DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url).pathname;

let mock: Mock;
beforeAll(async () => {
  mock = await createMock({ document: DOCUMENT, port: 0 });
});
afterAll(() => mock.close());

async function caseIds(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'report.json');
  const words = ['check', mock.url, '--only', 'ordinary', '--report', `json=${file}`, ...args];
  await runPaddock(words, { env: { PADDOCK_API_KEY: 'paddock-dev-key', ...env } });
  const { cases } = JSON.parse(await readFile(file, 'utf8')) as { cases: { id: string }[] };
  return cases.map(({ id }) => id).filter((id) => /race-|sequences|generated/.test(id));
}

const GENERATED = ['createPet/201/generated', 'createPet/400/generated'];

test('sequences and generated bodies are sent by default', async () => {
  expect(await caseIds([])).toEqual(['createPet/201/sequences', ...GENERATED]);
});

test.for([
  [['--disposable'], {}],
  [[], { PADDOCK_DISPOSABLE: '1' }],
] as const)('races with %j and %j', async ([args, env]) => {
  expect(await caseIds(args, env)).toEqual([
    'createPet/201/sequences',
    'createPet/201/race-creates',
    ...GENERATED,
  ]);
});

test('without examples nothing is generated', async () => {
  expect(await caseIds([], { PADDOCK_EXAMPLES: '0' })).toEqual([]);
});
