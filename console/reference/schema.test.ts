import { expect, test } from 'vitest';
import { readSchema } from './schema.ts';

const root = {
  components: {
    schemas: {
      Pet: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Pet' },
          { required: ['name'], properties: { name: { type: 'string' } } },
        ],
      },
      Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] },
      Chain: { $ref: '#/components/schemas/Chain' },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const TYPES: readonly (readonly [given: unknown, want: string, nullable?: boolean])[] = [
  [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
  [{ type: ['string', 'null'] }, 'string', true],
  [{ type: 'string', nullable: true }, 'string', true],
  [{ type: 'array', items: ref('Pet') }, 'array of Pet'],
  [{ oneOf: [ref('Pet'), { type: 'null' }] }, 'Pet', true],
  [{ anyOf: [ref('Pet'), ref('Cat')] }, 'any of'],
  [{ oneOf: [ref('Pet'), ref('Cat')] }, 'one of'],
  [{ properties: {} }, 'object'],
  [{ const: 1 }, 'value'],
  [{ type: 'null' }, 'null'],
  [{}, 'any'],
  [true, 'any'],
  [false, 'never'],
];

for (const [given, want, nullable = false] of TYPES)
  test(`the type of ${JSON.stringify(given)}`, () =>
    expect(readSchema(root, given)).toMatchObject({ type: want, nullable }));

test('the parts of allOf are joined, with what each requires', () => {
  const { name, children } = readSchema(root, ref('Cat'));
  expect(name).toBe('Cat');
  expect(children.map(({ label, required }) => [label, required])).toEqual([
    ['id', true],
    ['name', true],
  ]);
});

test('what refers to itself ends', () => {
  expect(readSchema(root, ref('Loop')).children).toEqual([]);
  expect(readSchema(root, ref('Chain')).children).toEqual([]);
});

test('bounds of 3.0 and of 3.1 are said alike', () => {
  expect(readSchema(root, { minimum: 1, exclusiveMinimum: true }).constraints).toEqual(['> 1']);
  expect(readSchema(root, { exclusiveMinimum: 1 }).constraints).toEqual(['> 1']);
  expect(readSchema(root, { maximum: 9007199254740993n }).constraints).toEqual(['≤ 9007199254740993']);
});

test('a branch is called by the value that chooses it', () => {
  const { children } = readSchema(root, {
    oneOf: [ref('Cat')],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  });
  expect(children[0]?.label).toBe('one of: Cat (kind: cat)');
});
