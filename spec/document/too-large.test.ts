import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadDocument } from './load-document.ts';

/** The first line of what is said of a document with this text, or of so many bytes. */
async function refusalOf(name: string, text: string, bytes = text.length): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'large-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  if (bytes > text.length) await truncate(file, bytes);
  const error = await loadDocument(file).catch((reason: Error) => reason);
  return error instanceof Error ? error.message.split('\n', 1)[0]?.replaceAll(`${folder}/`, '') : undefined;
}

test('a file of more than 64 MiB is refused before it is read', async () => {
  expect(await refusalOf('a.json', '{}', 2 ** 26 + 1)).toBe(
    'a.json:1:1: cannot read a.json: it is longer than 67108864 bytes',
  );
});

test('YAML that would exhaust memory is refused before it is parsed, and broken JSON as JSON', async () => {
  const tooLong =
    'YAML of more than 1000000 lines and items is not read; as JSON it takes a tenth of the memory';
  const items = 1_000_001;
  expect(await refusalOf('lines.yaml', '- a\n'.repeat(items))).toBe(`lines.yaml:1:1: ${tooLong}`);
  expect(await refusalOf('flow.yaml', `[${'a,'.repeat(items)}a]`)).toBe(`flow.yaml:1:1: ${tooLong}`);
  expect(await refusalOf('a.json', `[${'1,'.repeat(items)}`)).toMatch(
    /^a\.json:1:\d+: this is no JSON: it ends/,
  );
  expect(await refusalOf('sound.json', `[${'1,'.repeat(items)}1]`)).toBeUndefined();
});
