import { describe, expect, test } from 'vitest';
import { readContract } from '#spec';
import type { Members } from './collect-records.ts';
import { judgeRecords } from './judge-records.ts';

const text = { type: 'string' };
const list = (name: string) => ({
  get: {
    responses: {
      200: {
        description: 'All.',
        content: {
          'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
        },
      },
    },
  },
});
const item = (name: string) => ({
  get: {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    responses: {
      200: {
        description: 'One.',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
      },
    },
  },
});

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1', description: 'golara' },
  paths: {
    '/products': list('Product'),
    '/products/{id}': item('Product'),
    '/brands': list('Brand'),
    '/brands/{id}': item('Brand'),
    '/people': list('Person'),
    '/people/{id}': item('Person'),
  },
  components: {
    schemas: {
      Brand: { type: 'object', properties: { id: { type: 'integer' }, name: text } },
      Person: { type: 'object', properties: { id: { type: 'integer' }, name: text, birthDate: text } },
      Product: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          title: text,
          brand_id: { type: 'integer' },
          brand: { $ref: '#/components/schemas/Brand' },
          tags: { type: 'array', items: text },
          imageUrl: text,
          price: { type: 'number' },
          currency: text,
          sku: { type: 'string', pattern: '^[a-z]+$' },
          createdAt: text,
          updated_at: text,
          start: text,
          end: text,
          shippedAt: text,
          status: text,
          note: text,
          remark: text,
          extra: text,
        },
      },
    },
  },
};

const NOW = Date.UTC(2030, 0, 1);
const contract = await readContract(DOCUMENT, 'shop.json');

/** The kinds of what is wrong with one record of `/products` or `/people`, where brands 1 and 2 are there. */
function wrongIn(record: Members, path = '/products'): string[] {
  const shown = contract.resources.map((resource) => ({
    resource,
    records: resource.path === path ? [record] : [],
    request: undefined,
    ids: new Set(['1', '2']),
  }));
  return judgeRecords(contract, shown, NOW).complaints.map(({ kind, member }) => `${kind} ${member}`);
}

const TABLE: [what: string, record: Members, wrong: string[]][] = [
  ['a product', { id: 1, title: 'Walnut desk', brand_id: 1, brand: { id: 2, name: 'Oakline' } }, []],
  ['a product that bears a first name', { title: 'Moses' }, ['noise title']],
  ['a brand that bears one', { brand: { id: 1, name: 'Salma' } }, ['noise brand.name']],
  ['a first name that is a word, too', { title: 'Amber' }, []],
  ['syllables as a tag', { tags: ['oak', 'kumifi'] }, ['noise tags', 'latin tags']],
  ['syllables in a member that means nothing', { extra: 'kumifi' }, ['latin extra']],
  ['syllables that the document itself has', { extra: 'golara' }, []],
  ['a short text in Latin', { note: 'Vulgaris vomer.' }, ['noise note', 'latin note']],
  ['a long one', { note: 'Vulgaris vomer apud tergum, verbum volaticus et cetera.' }, []],
  ['an address that shows nothing', { imageUrl: 'https://shop.example/desk.png' }, ['noise imageUrl']],
  ['a picture of the mock', { imageUrl: 'http://127.0.0.1:4020/__paddock/pictures/1.svg' }, []],
  ['a price with three decimals', { price: 12.345 }, ['noise price']],
  ['a currency that is none', { currency: 'kum' }, ['noise currency']],
  ['a currency', { currency: 'EUR' }, []],
  ['a brand that is not there', { brand_id: 3 }, ['dangling brand_id']],
  ['one that is shown, and is not there', { brand: { id: 3 } }, ['dangling brand.id']],
  [
    'a product that changed before it was made',
    { createdAt: '2029-05-02T10:00:00Z', updated_at: '2029-05-01T10:00:00Z' },
    ['time createdAt and updated_at'],
  ],
  ['one that changes tomorrow', { updated_at: '2030-01-02T10:00:00Z' }, ['time updated_at']],
  ['an end before the start', { start: '2030-02-02', end: '2030-02-01' }, ['time start and end']],
  ['a draft that is shipped', { status: 'draft', shippedAt: '2029-01-01' }, ['time shippedAt']],
];

describe('what a person would laugh at', () => {
  test.each(TABLE)('%s', (_, record, wrong) => {
    expect(wrongIn(record)).toEqual(wrong);
  });

  test('people have first names, and are born', () => {
    expect(wrongIn({ name: 'Moses' }, '/people')).toEqual([]);
    expect(wrongIn({ birthDate: '2031-01-01' }, '/people')).toEqual(['time birthDate']);
  });
});
