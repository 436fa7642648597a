import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../contract.ts';
import { bundle } from '../whole-document.ts';

/** The bundle of `openapi.json` among these files, which are written and read as a user's are. */
async function bundleOf(files: Readonly<Record<string, object>>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value));
  return bundle((await loadContract(join(folder, 'openapi.json'))).document);
}

const head = { openapi: '3.1.1', info: { title: 'A service', version: '1' } };

function answering(schema: object) {
  return { get: { responses: { 200: { description: 'All', content: { 'application/json': { schema } } } } } };
}

test('a document of one file stays as it is', async () => {
  const components = { schemas: { A: { type: 'string' } } };
  const document = { ...head, paths: { '/a': answering({ $ref: '#/components/schemas/A' }) }, components };
  expect(await bundleOf({ 'openapi.json': document })).toEqual(document);
});

test('files that are referred to become members, and what they refer to is found there', async () => {
  const files = {
    'openapi.json': { ...head, paths: { '/a': { $ref: 'paths.json#/~1a%20b' } } },
    'paths.json': { '/a b': answering({ $ref: 'schemas.json#/A' }) },
    'schemas.json': {
      A: { properties: { b: { $ref: '#/B' }, root: { $ref: 'openapi.json#/info' }, c: { $ref: '#named' } } },
      B: { type: 'integer' },
      C: { $anchor: 'named', default: { $ref: 'no reference' } },
    },
  };
  expect(await bundleOf(files)).toEqual({
    ...head,
    paths: { '/a': { $ref: '#/x-paddock-files/0/~1a%20b' } },
    'x-paddock-files': {
      0: { '/a b': answering({ $ref: '#/x-paddock-files/1/A' }) },
      1: {
        A: {
          properties: {
            b: { $ref: '#/x-paddock-files/1/B' },
            root: { $ref: '#/info' },
            c: { $ref: '#/x-paddock-files/1/C' },
          },
        },
        B: { type: 'integer' },
        C: { $anchor: 'named', default: { $ref: 'no reference' } },
      },
    },
  });
});
