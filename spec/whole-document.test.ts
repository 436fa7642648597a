import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from './contract.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';
import { bundle, compareContracts } from './whole-document.ts';

const A = '#/components/schemas/A';
const B = '#/components/schemas/B';

function answering(schema: object, others: object = {}) {
  return {
    responses: { 200: { description: 'All', content: { 'application/json': { schema } } } },
    ...others,
  };
}

/** Lists refer to A, which contains a B, which contains an A again; the other schemas are not recursive. */
function library({
  type = 'string',
  shelves = {} as object,
  paths = {} as object,
  security = [] as object[],
} = {}) {
  const schemas = {
    A: { type: 'object', properties: { b: { $ref: B } } },
    B: { type: 'object', properties: { a: { $ref: A }, title: { type } } },
  };
  const books = { get: answering({ type: 'array', items: { $ref: A } }) };
  return documentOf(
    { '/books': books, '/shelves': { get: answering({ type: 'object' }, shelves) }, ...paths },
    { components: { schemas, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, security },
  );
}

async function compare(before: object, after: object) {
  const [one, other] = [await contractOf({ 'a.json': before }), await contractOf({ 'a.json': after })];
  const { added, removed, changed } = compareContracts(one, other);
  return {
    added: added.map(({ id }) => id),
    removed: removed.map(({ id }) => id),
    changed: Object.fromEntries(changed.map(({ operation, parts }) => [operation.id, parts])),
  };
}

const NOTHING = { added: [], removed: [], changed: {} };

test('equal documents do not differ, whatever the order of their members', async () => {
  const { paths, ...others } = library();
  expect(await compare(library(), { paths, ...others })).toEqual(NOTHING);
});

test('what a schema in a circle changes is changed for all that lead to it, and for nothing else', async () => {
  expect(await compare(library(), library({ type: 'integer' }))).toEqual({
    ...NOTHING,
    changed: { 'GET /books': ['responses 200'] },
  });
});

test('operations that come and go, and the parts that change', async () => {
  const limit = (maximum: number) => ({ name: 'limit', in: 'query', schema: { type: 'integer', maximum } });
  const before = library({ shelves: { summary: 'Old', parameters: [limit(10)] } });
  const after = library({
    shelves: { deprecated: true, parameters: [limit(20)] },
    paths: { '/new': { get: answering({}) } },
  });
  expect(await compare(before, after)).toEqual({
    added: ['GET /new'],
    removed: [],
    changed: { 'GET /shelves': ['deprecated', 'parameters', 'summary'] },
  });
  expect(await compare(after, before)).toMatchObject({ added: [], removed: ['GET /new'] });
  const secured = await compare(library(), library({ security: [{ key: [] }] }));
  expect(secured.changed).toEqual({ 'GET /books': ['security'], 'GET /shelves': ['security'] });
});

test('a schema that moves elsewhere does not change what refers to it', async () => {
  const direct = documentOf({ '/a': { get: answering({ type: 'string' }) } });
  const referring = documentOf(
    { '/a': { get: answering({ $ref: A }) } },
    { components: { schemas: { A: { type: 'string' } } } },
  );
  expect(await compare(direct, referring)).toEqual(NOTHING);
});

/** Bundles `openapi.json` from these files, which are written and read like a user's. */
async function bundleOf(files: Readonly<Record<string, object>>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value));
  return bundle((await loadContract(join(folder, 'openapi.json'))).document);
}

const head = { openapi: '3.1.1', info: { title: 'A service', version: '1' } };

function returning(schema: object) {
  return { get: { responses: { 200: { description: 'All', content: { 'application/json': { schema } } } } } };
}

test('a document of one file stays as it is', async () => {
  const components = { schemas: { A: { type: 'string' } } };
  const document = { ...head, paths: { '/a': returning({ $ref: '#/components/schemas/A' }) }, components };
  expect(await bundleOf({ 'openapi.json': document })).toEqual(document);
});

test('files that are referred to become members, and what they refer to is found there', async () => {
  const files = {
    'openapi.json': { ...head, paths: { '/a': { $ref: 'paths.json#/~1a%20b' } } },
    'paths.json': { '/a b': returning({ $ref: 'schemas.json#/A' }) },
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
      0: { '/a b': returning({ $ref: '#/x-paddock-files/1/A' }) },
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

test('an $id of the document stays, and one by which a reference would miss another file goes', async () => {
  const B = { $id: 'https://a.example/b', type: 'integer' };
  const inner = { $id: 'https://a.example/a', items: { $ref: 'b' }, $ref: '#/items' };
  const lone = { ...head, paths: { '/a': returning(inner) }, components: { schemas: { B } } };
  expect(await bundleOf({ 'openapi.json': lone })).toEqual(lone);
  const files = {
    'openapi.json': { ...head, paths: { '/a': returning({ $id: 'a.json', items: { $ref: 'b.json' } }) } },
    'b.json': { $id: 'https://a.example/b', items: { $ref: '#/$defs/c' }, $defs: { c: { type: 'integer' } } },
  };
  expect(await bundleOf(files)).toEqual({
    ...head,
    paths: { '/a': returning({ items: { $ref: '#/x-paddock-files/0' } }) },
    'x-paddock-files': {
      0: { items: { $ref: '#/x-paddock-files/0/%24defs/c' }, $defs: { c: { type: 'integer' } } },
    },
  });
});
