import { describe, expect, test } from 'vitest';
import { contractOf, documentOf, schemaInUse } from '../testing/contract-of.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const S = '#/components/schemas';

/** Each with a valid and an invalid value. */
const CASES: [string, { schema: object; others?: object; fits: unknown; breaks: unknown }][] = [
  [
    'the $id of another schema, and one beside it',
    {
      schema: { $ref: 'https://a.example/boat' },
      others: {
        Boat: { $id: 'https://a.example/boat', properties: { home: { $ref: 'harbour' } } },
        Harbour: { $id: 'https://a.example/harbour', properties: { town: text } },
      },
      fits: { home: { town: 'Ghent' } },
      breaks: { home: { town: 1 } },
    },
  ],
  [
    'a pointer counts from the nearest $id',
    {
      schema: { $id: 'urn:example:a', $defs: { x: text }, items: { $ref: '#/$defs/x' } },
      others: { $defs: { x: number } },
      fits: ['a'],
      breaks: [1],
    },
  ],
  [
    'an $id is resolved against the one around it, and beside a $ref comes first',
    {
      schema: { $ref: 'https://a.example/b/c' },
      others: {
        A: { $id: 'https://a.example/', $defs: { b: { $id: 'b/', $defs: { c: { $id: 'c', $ref: 'd' } } } } },
        D: { $id: 'https://a.example/b/d', ...text },
      },
      fits: 'a',
      breaks: 1,
    },
  ],
  [
    'an anchor belongs to its $id, a relative one too',
    {
      schema: { items: { $ref: 'one#size' }, contains: { $ref: '#size' } },
      others: {
        One: { $id: 'one', $defs: { size: { $anchor: 'size', ...number } } },
        Two: { $anchor: 'size' },
      },
      fits: [1],
      breaks: ['a'],
    },
  ],
  [
    'an $id among data is none',
    {
      schema: { $ref: 'https://a.example/x' },
      others: {
        A: { const: { $id: 'https://a.example/x', ...number } },
        B: { $id: 'https://a.example/x', ...text },
      },
      fits: 'a',
      breaks: 1,
    },
  ],
  [
    'escaped names in a pointer below an $id',
    {
      schema: {
        $id: 'x',
        $defs: { 'a/b~c%"': text, '': number },
        prefixItems: [{ $ref: '#/$defs/a~1b~0c%25%22' }, { $ref: '#/$defs/' }],
      },
      fits: ['a', 1],
      breaks: [1, 'a'],
    },
  ],
];

describe('a reference leads to', () => {
  test.each(CASES)('%s', async (_, { schema, others = {}, fits, breaks }) => {
    const { validate, contract } = await schemaInUse(schema, { others });
    expect([validate(fits).length, validate(breaks).length > 0]).toEqual([0, true]);
    expect(contract.warnings).toEqual([]);
  });
});

test('references count from $self of the document', async () => {
  const schema = { $ref: 'https://a.example/v1/api.yaml#/components/schemas/A' };
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
  const { operations, validators } = await contractOf({
    'a.json': {
      ...documentOf({ '/a': { post } }, { components: { schemas: { A: { $ref: 'parts.json#/B' } } } }),
      openapi: '3.2.0',
      $self: 'https://a.example/v1/api.yaml',
    },
    'parts.json': { B: text },
  });
  const spot = operations[0]?.body?.content[0]?.schema;
  expect(spot && validators.compile(spot, 'request')(1)).toHaveLength(1);
});

test('OpenAPI 3.0 knows no $id', async () => {
  const schema = { $id: 'https://a.example/x', items: { $ref: `${S}/A` }, type: 'array' };
  const { validate, contract } = await schemaInUse(schema, { openapi: '3.0.3', others: { A: text } });
  expect([validate(['a']).length, validate([1]).length, contract.warnings]).toEqual([0, 1, []]);
});

/** A page of items; the referring schema defines `item`. */
const page = {
  $id: 'page',
  $defs: { any: { $dynamicAnchor: 'item' } },
  properties: { data: { items: { $dynamicRef: '#item' } } },
};
const pageOf = (id: string, schema: object) => ({
  $id: id,
  $defs: { own: { $dynamicAnchor: 'item', ...schema } },
  $ref: 'page',
});

describe('a dynamic reference', () => {
  test('leads to the outermost anchor of its name, for each way to it', async () => {
    const { validate } = await schemaInUse(
      { properties: { texts: { $ref: 'texts' }, numbers: { $ref: 'numbers' }, any: { $ref: 'page' } } },
      { others: { page, texts: pageOf('texts', text), numbers: pageOf('numbers', number) } },
    );
    const broken = (value: unknown) => validate(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    expect(broken({ texts: { data: ['a'] }, numbers: { data: [1] }, any: { data: ['a', 1] } })).toEqual([]);
    expect(broken({ texts: { data: [1] }, numbers: { data: ['a'] } })).toEqual([
      '/texts/data/0 type',
      '/numbers/data/0 type',
    ]);
  });

  test('extends a recursive schema', async () => {
    const tree = { $id: 'tree', $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } };
    const strict = { $id: 'strict', $dynamicAnchor: 'node', $ref: 'tree', unevaluatedProperties: false };
    const { validate } = await schemaInUse({ $ref: 'strict' }, { others: { tree, strict } });
    expect([validate({ next: { next: {} } }).length, validate({ next: { nxt: {} } }).length]).toEqual([0, 1]);
  });

  test('to an $anchor, or by a pointer, is an ordinary one', async () => {
    const inner = {
      $id: 'inner',
      $defs: { a: { $anchor: 'item', ...number } },
      items: { $dynamicRef: '#item' },
      contains: { $dynamicRef: '#/$defs/a' },
    };
    const { validate } = await schemaInUse(
      { $id: 'outer', $defs: { a: { $dynamicAnchor: 'item', ...text } }, $ref: 'inner' },
      { others: { inner } },
    );
    expect([validate([1]).length, validate(['a']).length > 0]).toEqual([0, true]);
  });
});
