import { describe, expect, test } from 'vitest';
import { placeOf } from '../document/spot.ts';
import { schemaInUse } from '../testing/contract-of.ts';
import type { Shape } from './shape.ts';

const R = '#/components/schemas';

const OTHERS = {
  Named: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
  Record: {
    allOf: [
      { $ref: `${R}/Named` },
      { required: ['id'], properties: { id: { type: 'integer', readOnly: true }, name: { minLength: 3 } } },
    ],
  },
  Self: { type: 'object', properties: { again: { $ref: `${R}/Self` } } },
};

async function shapeOf(schema: object, openapi = '3.1.1'): Promise<Shape> {
  return (await schemaInUse(schema, { others: OTHERS, openapi })).shape;
}

const TYPES: [schema: object, types: string[] | undefined, mainType: string | undefined][] = [
  [{}, undefined, undefined],
  [{ type: 'integer' }, ['integer'], 'integer'],
  [{ type: ['null', 'string'] }, ['null', 'string'], 'string'],
  [{ type: 'null' }, ['null'], 'null'],
  [{ type: 'number', allOf: [{ type: ['integer', 'string'] }] }, ['integer'], 'integer'],
  [{ type: ['integer', 'null'], allOf: [{ type: ['number', 'null'] }] }, ['integer', 'null'], 'integer'],
  [{ properties: { a: {} } }, undefined, 'object'],
  [{ items: {} }, undefined, 'array'],
  [{ maximum: 1, pattern: 'x' }, undefined, 'string'],
  [{ $ref: `${R}/Record` }, ['object'], 'object'],
];

test.each(TYPES)('the types of %j', async (schema, types, mainType) => {
  const shape = await shapeOf(schema);
  expect(shape.types && [...shape.types]).toEqual(types);
  expect(shape.mainType).toBe(mainType);
});

test('allOf and references are joined into one', async () => {
  const shape = await shapeOf({ $ref: `${R}/Record` });
  expect([...shape.properties.keys()].sort()).toEqual(['id', 'name']);
  expect([...shape.required.keys()].sort()).toEqual(['id', 'name']);
  expect(shape.properties.get('id')?.readOnly).toBe(true);
  expect(shape.properties.get('name')?.highest('minLength')).toBe(3);
  expect(shape.properties.get('name')?.mainType).toBe('string');
});

test('recursive schemas expand on demand', async () => {
  let shape: Shape | undefined = await shapeOf({ $ref: `${R}/Self` });
  for (let depth = 0; depth < 50; depth++) shape = shape?.properties.get('again');
  expect(shape?.mainType).toBe('object');
});

const RANGES: [schema: object, openapi: string, low: unknown, high: unknown][] = [
  [{ minimum: 1, maximum: 9 }, '3.1.1', [1, false], [9, false]],
  [{ minimum: 1, exclusiveMinimum: 3 }, '3.1.1', [3, true], undefined],
  [{ minimum: 3, exclusiveMinimum: 3, maximum: 5, exclusiveMaximum: 5 }, '3.1.1', [3, true], [5, true]],
  [
    { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    '3.0.3',
    [1, true],
    [9, false],
  ],
  [{ allOf: [{ minimum: 1 }, { minimum: 4 }], format: 'int32' }, '3.1.1', [4, false], [2147483647, false]],
];

test.each(RANGES)('the range of %j in %s', async (schema, openapi, low, high) => {
  const { range } = await shapeOf(schema, openapi);
  expect(range.low && [range.low.value, range.low.exclusive]).toEqual(low);
  expect(range.high && [range.high.value, range.high.exclusive]).toEqual(high);
});

test('each branch of oneOf and anyOf is joined with the rest of the schema', async () => {
  const shape = await shapeOf({
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    oneOf: [{ properties: { kind: { const: 'a' } } }, { $ref: `${R}/Named` }],
  });
  expect(shape.alternatives.map((branch) => [...branch.required.keys()].sort())).toEqual([
    ['kind'],
    ['kind', 'name'],
  ]);
  expect(shape.alternatives[0]?.properties.get('kind')?.values).toEqual(['a']);
});

describe('places', () => {
  test('a keyword is found at its own location', async () => {
    const shape = await shapeOf({ $ref: `${R}/Record` });
    const found = shape.properties.get('name')?.find('minLength');
    expect(found?.spot.path).toEqual(['components', 'schemas', 'Named', 'properties', 'name', 'minLength']);
    expect(found && placeOf(found.spot).line).toBe(1);
  });
});
