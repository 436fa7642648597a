import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../contract.ts';

const GONE = { $ref: './docs/gone.md' };

/** Loads a changed document from a folder of its own. */
async function load(change: (document: ReturnType<typeof whole>) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'remarks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = whole();
  change(document);
  const path = join(folder, 'openapi.json');
  await writeFile(path, JSON.stringify(document, undefined, 1));
  return loadContract(path);
}

function whole() {
  const media = { schema: { type: 'object', properties: {} } } as Record<string, unknown>;
  const get = { responses: { 200: { description: 'ok', content: { 'application/json': media } } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Boats', version: '1' } as Record<string, unknown>,
    paths: { '/boats': { get: get as typeof get & Record<string, unknown> } },
  };
}

const mediaOf = ({ paths }: ReturnType<typeof whole>) =>
  paths['/boats'].get.responses[200].content['application/json'];
const schemaOf = (document: ReturnType<typeof whole>) => mediaOf(document).schema as Record<string, object>;

test.for<[string, (document: ReturnType<typeof whole>) => void]>([
  ['the description of the document', ({ info }) => void Object.assign(info, { description: GONE })],
  ['any other part of info', ({ info }) => void Object.assign(info, { 'x-logo': GONE })],
  ['an operation', ({ paths }) => void Object.assign(paths['/boats'].get, { description: GONE })],
  ['external documentation', ({ paths }) => void Object.assign(paths['/boats'].get, { externalDocs: GONE })],
  ['an extension', (document) => void Object.assign(document, { 'x-topics': [{ content: GONE }] })],
  ['an example', (document) => void Object.assign(mediaOf(document), { examples: { one: GONE } })],
  [
    'the description of a schema',
    (document) => void Object.assign(schemaOf(document), { description: GONE }),
  ],
])('a missing file is a warning with its place in %s', async ([, change]) => {
  const { warnings, operations } = await load(change);
  expect(operations).toHaveLength(1);
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        line: expect.any(Number),
        message: expect.stringMatching(
          /gone\.md" leads nowhere: cannot read .*; it is ignored, since no request or response depends on it/,
        ),
      }),
    ]),
  );
});

test.for<[string, (document: ReturnType<typeof whole>) => void]>([
  ['a schema', (document) => void Object.assign(schemaOf(document), GONE)],
  [
    'a property with the name of a remark',
    (document) => void Object.assign(schemaOf(document).properties ?? {}, { description: GONE }),
  ],
  [
    'an extension to which a schema leads',
    (document) => {
      Object.assign(document, { 'x-schemas': { Boat: GONE } });
      Object.assign(schemaOf(document), { $ref: '#/x-schemas/Boat' });
    },
  ],
])('a missing file is a problem in %s', async ([, change]) => {
  await expect(load(change)).rejects.toThrow(/gone\.md/);
});
