import { expect, test } from 'vitest';
import { contractOf, documentOf } from './testing/contract-of.ts';
import { compareContracts } from './whole-document.ts';

const A = '#/components/schemas/A';
const B = '#/components/schemas/B';

function answering(schema: object, others: object = {}) {
  return {
    responses: { 200: { description: 'All', content: { 'application/json': { schema } } } },
    ...others,
  };
}

/** Lists refer to A, which has a B, which has an A again; the others do not. */
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
