import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';

/**
 * Mock and suite share this project's validator, so neither would notice a misreading. The second validator is another
 * implementation of JSON Schema 2020-12 that passes the published test suite for these keywords. Not compared, because
 * of a deliberate difference or a limit of one validator:
 * - `format`: OpenAPI documents mean it as an assertion; the second validator ignores it.
 * - `$dynamicRef`, `$anchor` and `$id`: see schema-resources.test.ts.
 * - `enum: []`: ignored, since no value fits it.
 * - `dependencies`: not in 2020-12, but the second validator applies it.
 * - numbers beyond 2^53: the second validator has doubles only (numeric-keywords.test.ts).
 */
async function agree(schema: unknown, values: readonly unknown[], others?: object): Promise<void> {
  const translated = JSON.parse(
    JSON.stringify({ ...(schema as object), $defs: others }).replaceAll('#/components/schemas/', '#/$defs/'),
  );
  const second = new Validator(typeof schema === 'boolean' ? schema : translated, '2020-12', false);
  const { validate } = await schemaInUse(schema, { others: others ?? {} });
  const verdicts = values.map((value) => [JSON.stringify(value), validate(value).length === 0]);
  expect(verdicts).toEqual(values.map((value) => [JSON.stringify(value), second.validate(value).valid]));
}

/** Built from pairs, because an object literal with a member `then` looks like a promise. */
function condition(question?: object, then?: object, otherwise?: object): object {
  const pairs = [
    ['if', question],
    ['then', then],
    ['else', otherwise],
  ];
  return Object.fromEntries(pairs.filter(([, schema]) => schema !== undefined));
}

/** Values of all types; the member names are those of the schemas below. */
const VALUES: unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    2,
    3,
    7,
    1.5,
    0.3,
    1e-7,
    10,
    100,
    '',
    'a',
    'ab',
    'abc',
    '12',
    '😀',
    '😀😀',
  ],
  ...[[], [1], [1, 1], [1, 2], ['a'], ['a', 1], ['a', 'a', 'b'], [[]], [{}], [{ a: 1 }, { a: 1 }], [null]],
  ...[{}, { a: 1 }, { a: 'x' }, { a: null }, { b: 1 }, { a: 1, b: 2 }, { a: 'x', b: 'y', c: 'z' }, { ab: 1 }],
  ...[
    { a: { a: { a: 1 } } },
    { a: { a: 'x' } },
    { toString: 1 },
    { constructor: 1 },
    JSON.parse('{"__proto__":1}'),
    JSON.parse('{"__proto__":"x"}'),
    { 'a/b': 1, 'a~b': 2 },
  ],
  ...[{ kind: 'cat', a: 1 }, { kind: 'dog', b: 1 }, { kind: 'dog' }, { kind: 'cow' }],
];

const SCHEMAS: Record<string, object> = {
  'no schema at all': {},
  'one type': { type: 'integer' },
  'several types': { type: ['number', 'null', 'array'] },
  'bounds, excluded bounds': { minimum: 1, exclusiveMaximum: 7 },
  'excluded minimum and maximum': { exclusiveMinimum: 0, maximum: 3 },
  'multiples of a fraction': { multipleOf: 0.1 },
  'multiples of an integer': { type: 'number', multipleOf: 2 },
  'lengths count code points': { minLength: 1, maxLength: 1 },
  'a pattern is not anchored': { pattern: 'b' },
  'a pattern with a property escape': { pattern: '^\\p{Letter}+$' },
  'an enumeration of any values': { enum: [1, 'a', null, [1], { a: 1 }] },
  'a constant record': { const: { b: 2, a: 1 } },
  'a constant number': { const: 1 },
  'items and their number': { items: { type: 'integer' }, minItems: 1, maxItems: 2 },
  'items that differ': { uniqueItems: true },
  'a fixed beginning': { prefixItems: [{ type: 'string' }, { type: 'integer' }] },
  'a fixed beginning and no more': { prefixItems: [{ type: 'string' }], items: false },
  'no items': { items: false },
  'one item that fits': { contains: { type: 'string' } },
  'a number of items that fit': { contains: { const: 'a' }, minContains: 2, maxContains: 2 },
  'no item has to fit': { contains: { const: 'a' }, minContains: 0 },
  properties: { properties: { a: { type: 'integer' }, b: { type: 'string' } } },
  'properties of any name': { properties: { 'a/b': { type: 'string' }, toString: { type: 'string' } } },
  'a property of an uncommon name': {
    properties: Object.fromEntries([['__proto__', { type: 'integer' }]]),
    additionalProperties: false,
  },
  'required members': { required: ['a', 'b'] },
  'required members named like functions of objects': { required: ['toString', 'constructor'] },
  'a forbidden member': { properties: { a: false } },
  'no other members': { properties: { a: true }, additionalProperties: false },
  'other members of a type': { properties: { a: true }, additionalProperties: { type: 'integer' } },
  'members by pattern': { patternProperties: { '^a': { type: 'integer' } }, additionalProperties: false },
  'names of members': { propertyNames: { maxLength: 1 } },
  'the number of members': { minProperties: 1, maxProperties: 2 },
  'members that need others': { dependentRequired: { a: ['b'] } },
  'schemas that members bring': { dependentSchemas: { a: { required: ['b'] }, b: { maxProperties: 2 } } },
  'all of several': { allOf: [{ minimum: 1 }, { maximum: 7 }, { type: 'integer' }] },
  'any of several': { anyOf: [{ type: 'string' }, { minimum: 2 }] },
  'just one of several': { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
  'anything but': { not: { type: 'object', required: ['a'] } },
  nothing: { not: {} },
  'a condition': condition({ type: 'string' }, { minLength: 2 }, { not: { type: 'array' } }),
  'a condition with one outcome': condition({ required: ['a'] }, { required: ['b'] }),
  'an outcome without a condition': condition(undefined, { type: 'string' }),
  'no unevaluated members': {
    allOf: [{ properties: { a: true } }, { $ref: '#/components/schemas/HasB' }],
    unevaluatedProperties: false,
  },
  'no unevaluated items': { prefixItems: [true], unevaluatedItems: false },
  'no unevaluated items beside those that are contained': {
    contains: { type: 'string' },
    unevaluatedItems: false,
  },
  'unevaluated items of a type': {
    anyOf: [{ prefixItems: [{ const: 'a' }] }],
    unevaluatedItems: { type: 'integer' },
  },
  'no unevaluated members beside a condition alone': {
    ...condition({ properties: { a: { type: 'integer' } }, required: ['a'] }),
    unevaluatedProperties: false,
  },
  'no unevaluated members beside a condition with one outcome, and patterns': {
    ...condition({ properties: { kind: { const: 'cat' } }, required: ['kind'] }, { properties: { a: true } }),
    patternProperties: { '^b': { type: 'integer' } },
    unevaluatedProperties: false,
  },
  'unevaluated members beside schemas that members bring': {
    dependentSchemas: { a: { properties: { a: true, b: true } } },
    unevaluatedProperties: { type: 'string' },
  },
  'a reference': { $ref: '#/components/schemas/Text' },
  'a reference and what stands beside it': { $ref: '#/components/schemas/Text', maxLength: 1 },
  'a reference to a schema that lets nothing through': { $ref: '#/components/schemas/Never' },
  recursion: { $ref: '#/components/schemas/Tree' },
  'references with escapes': { $ref: '#/components/schemas/a~1b%25' },
  'tagged alternatives': {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
  },
};

const OTHERS = {
  Text: { type: 'string', minLength: 1 },
  Never: false,
  HasB: { properties: { b: true } },
  Tree: {
    type: 'object',
    properties: { a: { anyOf: [{ type: 'integer' }, { $ref: '#/components/schemas/Tree' }] } },
  },
  'a/b%': { enum: ['a', 1] },
  Cat: { required: ['kind', 'a'], properties: { kind: { const: 'cat' } } },
  Dog: { required: ['kind', 'b'], properties: { kind: { const: 'dog' } } },
};

describe('validation agrees with another implementation', () => {
  test.each(Object.keys(SCHEMAS))('%s', async (name) => {
    await agree(SCHEMAS[name], VALUES, OTHERS);
  });

  test.each([true, false])('the schema %s', async (schema) => {
    await agree(schema, VALUES);
  });
});

test('validation of two joined schemas agrees with another implementation', async () => {
  // For these the second validator also counts what an outer schema evaluates.
  const names = Object.keys(SCHEMAS).filter((name) => !name.includes('unevaluated'));
  const one = fc.constantFrom(...names).map((name) => SCHEMAS[name] as object);
  const joined = fc.oneof(
    fc.tuple(one, one).map(([left, right]) => ({ allOf: [left, right] })),
    fc.tuple(one, one).map(([left, right]) => ({ oneOf: [left, right] })),
    fc.tuple(one, one).map(([left, right]) => ({ anyOf: [{ not: left }, right] })),
    fc.tuple(one, one).map(([left, right]) => ({ properties: { a: left, b: right }, required: ['a'] })),
    fc.tuple(one, one).map(([left, right]) => condition(left, right, { not: right })),
    one.map((schema) => ({ items: schema, additionalProperties: schema })),
  );
  await fc.assert(
    fc.asyncProperty(joined, (schema) => agree(schema, VALUES, OTHERS)),
    { numRuns: 60 },
  );
});
