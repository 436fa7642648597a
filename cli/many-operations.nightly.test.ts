import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepare } from '#contract-tests';
import { createMock } from '#mock';

async function documentWith(operations: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'many-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = Array.from({ length: operations }, (_, index) => [`/a${index}`, { get: { responses: {} } }]);
  const info = { title: 'Many', version: '1' };
  const document = { openapi: '3.1.1', info, paths: Object.fromEntries(paths) };
  await writeFile(join(folder, 'many.json'), JSON.stringify(document));
  return join(folder, 'many.json');
}

test('a document with more operations than memory can hold is refused with its place', async () => {
  const target = 'http://127.0.0.1:9';
  await expect(prepare({ target, document: await documentWith(20_001) })).rejects.toThrow(
    /many\.json:1:\d+: of a document with 20001 operations at most 20000 can be checked/,
  );
  await expect(createMock({ document: await documentWith(150_001), port: false })).rejects.toThrow(
    /many\.json:1:\d+: the document has 150001 operations, of which at most 150000 can be read/,
  );
});

test('a mock of a hundred thousand operations starts', async () => {
  const mock = await createMock({ document: await documentWith(100_000), port: false });
  onTestFinished(() => mock.close());
  expect(mock.operations).toHaveLength(100_000);
});
