import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readContract } from '#spec';
import { entryOf, harOf } from '../har/testing/entries.ts';
import { observe } from '../observe/observer.ts';
import { judgeFiles } from './judge-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'paddock-judge-files-'));
afterAll(() => rm(folder, { recursive: true }));

const at = (second: number, more: object = {}) =>
  entryOf(
    { url: `http://api.test/pets?second=${second}` },
    {},
    { startedDateTime: `2030-01-01T00:00:0${second}.000Z`, ...more },
  );

test('the exchanges of several files are judged in the order in which they were sent', async () => {
  const files = [join(folder, 'one.har'), join(folder, 'other.har')];
  await writeFile(files[0] as string, harOf(at(1), at(4, { _fromCache: 'disk' }), at(5)));
  await writeFile(files[1] as string, `${harOf(at(2), at(3)).slice(0, -40)}`);
  const paths = { '/pets': { get: { responses: { 200: { description: '' } } } } };
  const document = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths };
  const seconds: (string | null)[] = [];
  const observer = observe(await readContract(document, 'pets.yaml'), {
    onUse: ({ wire }) => seconds.push(wire.url.searchParams.get('second')),
  });
  const read = await judgeFiles(files, [observer]);
  expect(seconds).toEqual(['1', '2', '5']);
  expect(read.map(({ name, broken }) => [name, broken?.position])).toEqual([
    ['one.har', undefined],
    ['other.har', 'entry 2'],
  ]);
});
