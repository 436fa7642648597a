import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../json/exact-json.ts';
import { schemaInUse } from '../testing/contract-of.ts';
import { sample } from './sample.ts';

const R = '#/components/schemas';
const NODE = {
  type: 'object',
  required: ['next'],
  properties: { next: { anyOf: [{ $ref: `${R}/Node` }, { type: 'null' }] } },
};
const TREE = {
  type: 'object',
  required: ['name', 'left', 'children'],
  properties: {
    name: { type: 'string' },
    left: { oneOf: [{ $ref: `${R}/Tree` }, { type: 'string', enum: ['leaf'] }] },
    right: { $ref: `${R}/Tree` },
    children: { type: 'array', items: { $ref: `${R}/Tree` } },
  },
};
const inside = (name: string) => ({
  type: 'object',
  required: ['inner'],
  properties: { inner: { $ref: `${R}/${name}` } },
});
/** After this many references, null is the shortest way out. */
const OUTER = {
  Outer: inside('Middle'),
  Middle: inside('Inner'),
  Inner: { allOf: [{ oneOf: [{ type: 'null' }, { $ref: `${R}/Leaf` }] }, { type: 'object' }] },
  Leaf: { type: 'object', properties: { name: { type: 'string' } } },
};
const OTHERS = { Node: NODE, Tree: TREE, ...OUTER };

const SCHEMAS: Record<string, object> = {
  'lengths from several schemas': {
    type: 'string',
    allOf: [{ minLength: 2, maxLength: 30 }, { minLength: 20 }],
  },
  'a pattern': { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
  'a number with the format of an integer': { type: 'number', format: 'int32', minimum: 0.5, maximum: 3 },
  'a pattern of more than the usual length': {
    type: 'string',
    pattern: '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$',
  },
  'a pattern without anchors, and a format': { type: 'string', pattern: 'urn:[a-z]{4}', format: 'uri' },
  'a pattern and a length': { type: 'string', pattern: '^[a-z]+$', minLength: 12, maxLength: 14 },
  'a pattern that is written without the u flag': { type: 'string', pattern: '^[\\w-.]+$' },
  'a pattern that only the example knows': {
    type: 'string',
    pattern: '^(?=x)(?!y)x(?<=x)\\1?$',
    example: 'x',
  },
  'an empty text': { type: 'string', maxLength: 0 },
  'a long text': { type: 'string', minLength: 500 },
  'integers between bounds': { type: 'integer', exclusiveMinimum: 1.5, maximum: 2 },
  'integers beyond doubles': { type: 'integer', minimum: 9007199254740993n, maximum: 9007199254740993n },
  'negative integers': { type: 'integer', exclusiveMaximum: -1000000 },
  'a small interval': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  'an item that an array must contain': { type: 'array', contains: { const: 'a' } },
  'several items that an array must contain': {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    contains: { multipleOf: 7 },
    minContains: 2,
    minItems: 3,
  },
  'contained items behind a prefix': {
    type: 'array',
    prefixItems: [{ type: 'boolean' }],
    contains: { type: 'string' },
    maxItems: 2,
  },
  multiples: { type: 'integer', multipleOf: 7, minimum: 1, maximum: 13 },
  'multiples of several numbers': {
    type: 'integer',
    allOf: [{ multipleOf: 2.5 }, { multipleOf: 4 }],
    minimum: 1,
  },
  'multiples of a fraction': { type: 'number', multipleOf: 0.05, minimum: 3.01, maximum: 3.09 },
  int32: { type: 'integer', format: 'int32', minimum: 2147483647 },
  'an enumeration that the type narrows': { type: 'string', enum: [1, null, 'a'] },
  'an enumeration of records': { enum: [{ a: 1 }], allOf: [{ enum: [{ b: 1 }, { a: 1 }] }] },
  'a constant beside an enumeration': { const: 'b', enum: ['a', 'b'] },
  'nothing but null': { type: 'null' },
  'list lengths': { type: 'array', items: { type: 'boolean' }, minItems: 5, maxItems: 6 },
  'a list of different values': {
    type: 'array',
    items: { enum: ['a', 'b', 'c'] },
    uniqueItems: true,
    minItems: 3,
  },
  'a list of whatever': { type: 'array', minItems: 2 },
  'an empty list': { type: 'array', items: { type: 'integer' }, maxItems: 0 },
  'a fixed list': {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: false,
    minItems: 2,
  },
  'required members that are not described': {
    type: 'object',
    required: ['a', 'b'],
    additionalProperties: { type: 'integer' },
  },
  'a map': { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: 2 },
  'few members': { type: 'object', properties: { a: {}, b: {}, c: {} }, maxProperties: 2, required: ['c'] },
  'a forbidden member': { type: 'object', properties: { a: false, b: { type: 'integer' } } },
  'a member from several schemas': {
    properties: { a: { type: 'integer' } },
    allOf: [{ properties: { a: { minimum: 5 } } }],
  },
  'a map of few names': {
    type: 'object',
    additionalProperties: { type: 'integer' },
    propertyNames: { enum: ['a', 'b'] },
  },
  'a map of names that are fewer than its entries may be': {
    type: 'object',
    minProperties: 2,
    propertyNames: { pattern: '^[ab]$' },
  },
  'a part that names all members beside another': {
    allOf: [
      { properties: { a: { type: 'integer' } }, additionalProperties: false },
      { properties: { a: { minimum: 5 }, b: { type: 'string' } } },
    ],
  },
  'classes that close each their own members': {
    allOf: [
      { required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false },
      { required: ['b'], properties: { b: { type: 'string' } }, additionalProperties: false },
    ],
    additionalProperties: false,
  },
  'null that the rest of the schema forbids': { $ref: `${R}/Outer` },
  'an array that demands null at its end': { $ref: `${R}/Node` },
  'recursion with ways out': { $ref: `${R}/Tree` },
  'alternatives beside members': {
    required: ['a'],
    properties: { a: { type: 'integer' } },
    oneOf: [{ required: ['b'], properties: { b: { type: 'string' } } }],
  },
  'alternatives of alternatives': { anyOf: [{ oneOf: [{ type: 'string', format: 'uuid' }] }] },
};

const FORMATS = [
  ...[
    'date',
    'time',
    'date-time',
    'iso-time',
    'iso-date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
  ],
  ...[
    'url',
    'email',
    'idn-email',
    'hostname',
    'ipv4',
    'ipv6',
    'regex',
    'uuid',
    'json-pointer',
    'password',
    'binary',
  ],
  ...['json-pointer-uri-fragment', 'relative-json-pointer', 'byte', 'float', 'double', 'iri', 'unheard-of'],
];

describe('every sample fits its schema', () => {
  test.each(Object.keys(SCHEMAS))('%s', async (name) => {
    const { shape, validate } = await schemaInUse(SCHEMAS[name], { others: OTHERS });
    for (let seed = 0; seed < 30; seed++) {
      const value = sample(shape, { key: `${seed}` });
      expect([stringifyJson(value), validate(value)]).toEqual([stringifyJson(value), []]);
    }
  });

  test.each(FORMATS)('format %s', async (format) => {
    const { shape, validate } = await schemaInUse({ type: 'string', format });
    for (let seed = 0; seed < 30; seed++) {
      expect(validate(sample(shape, { key: `${seed}` }))).toEqual([]);
    }
  });
});

/** Satisfiable schemas; each bound leaves room for the one below it. */
const anySchema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc
      .record({ minLength: fc.nat(30), more: fc.nat(10) })
      .map(({ minLength, more }) => ({ type: 'string', minLength, maxLength: minLength + more })),
    fc
      .record({ minimum: fc.integer(), more: fc.nat(10), type: fc.constantFrom('integer', 'number') })
      .map(({ minimum, more, type }) => ({ type, minimum, maximum: minimum + more })),
    fc
      .record({
        low: fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
        step: fc.constantFrom(0.01, 0.5, 3, 10),
      })
      .map(({ low, step }) => ({
        type: 'number',
        exclusiveMinimum: low,
        maximum: low + step,
        multipleOf: step,
      })),
    fc.constantFrom({ type: 'boolean' }, { type: ['string', 'null'] }, { enum: [1, 'a'] }, {}, true),
    fc
      .record({ items: tie('schema'), minItems: fc.nat(3), more: fc.nat(3) })
      .map(({ items, minItems, more }) => ({ type: 'array', items, minItems, maxItems: minItems + more })),
    fc
      .record({ properties: fc.dictionary(fc.string(), tie('schema')), closed: fc.boolean(), cut: fc.nat(3) })
      .map(({ properties, closed, cut }) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(cut),
        additionalProperties: !closed,
      })),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
    tie('schema').map((schema) => ({ allOf: [schema], description: 'the same' })),
  ),
})).schema;

test('every sample of a generated schema fits it', async () => {
  await fc.assert(
    fc.asyncProperty(anySchema, fc.string(), fc.boolean(), async (schema, key, sparse) => {
      const { shape, validate } = await schemaInUse(schema);
      const value = sample(shape, {
        key,
        ...(sparse && { include: (_name, random) => random.next() < 0.3 }),
      });
      expect(validate(value)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('samples depend on the key alone', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
  const { shape } = await schemaInUse(schema);
  const more = await schemaInUse({ ...schema, properties: { z: { type: 'string' }, ...schema.properties } });
  const first = sample(shape, { key: 'dogs/1' }) as object;
  expect(sample(shape, { key: 'dogs/1' })).toEqual(first);
  expect(sample(more.shape, { key: 'dogs/1' })).toMatchObject(first);
  const others = new Set(
    Array.from({ length: 50 }, (_, key) => stringifyJson(sample(shape, { key: `${key}` }))),
  );
  expect(others.size).toBeGreaterThan(45);
});

test('the options include, fake and omit', async () => {
  const { shape } = await schemaInUse({
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      more: { type: 'string' },
    },
  });
  const value = sample(shape, {
    key: '1',
    omit: (member) => member.readOnly,
    include: () => false,
    fake: (name) => (name === 'name' ? 'Hazel' : undefined),
  });
  expect(value).toEqual({ name: 'Hazel' });
});

const RIVALS = ['url', 'urlPath', 'urlPattern'];

test.each<[what: string, description: string, required: string[], want: number[]]>([
  ['one of them', 'Only one of url, `urlPath` or urlPattern may be specified.', [], [1]],
  ['the required one', 'Exactly one of url, urlPath and urlPattern must be given.', ['urlPath'], [1]],
  ['all, where others are named', 'Only one of url, urlPath or host may be specified.', [], [3]],
  ['all, where it is about values', 'Only one of the url, urlPath and urlPattern is long.', [], [3]],
])('of members that exclude each other a value has %s', async (_, description, required, want) => {
  const member = { type: 'string', description };
  const properties = Object.fromEntries(RIVALS.map((name) => [name, member]));
  const { shape } = await schemaInUse({ type: 'object', required, properties });
  const values = Array.from({ length: 30 }, (_, key) => sample(shape, { key: `${key}` }) as object);
  expect(new Set(values.map((value) => Object.keys(value).length))).toEqual(new Set(want));
  const seen = new Set(values.flatMap((value) => Object.keys(value)));
  expect(seen).toEqual(new Set(required.length > 0 ? required : RIVALS));
});

test('items that must differ are made up where realistic ones do not', async () => {
  const { shape, validate } = await schemaInUse({
    ...{ type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string' } },
  });
  expect(
    validate(
      sample(shape, { key: '1', fake: (_, { mainType }) => (mainType === 'string' ? 'Hazel' : undefined) }),
    ),
  ).toEqual([]);
});

test('the sample of a wide schema with mutual references stays small', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `W${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `${R}/${name}` }]));
  const others = Object.fromEntries(names.map((name) => [name, { type: 'object', title: name, properties }]));
  const { shape } = await schemaInUse({ $ref: `${R}/W0` }, { others });
  expect(stringifyJson(sample(shape, { key: '1' })).length).toBeLessThan(1_000_000);
});

test('an object that may stand for its id is its id where it would lead to further ones without end', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `W${index}`);
  const expandable = (name: string) => ({ anyOf: [{ type: 'string' }, { $ref: `${R}/${name}` }] });
  const properties = Object.fromEntries(names.map((name) => [name, expandable(name)]));
  const wide = { type: 'object', required: names, properties };
  const others = Object.fromEntries(names.map((name) => [name, { ...wide, title: name }]));
  const { shape, validate } = await schemaInUse({ $ref: `${R}/W0` }, { others });
  for (const key of ['1', '2', '3', '4', '5']) {
    const value = sample(shape, { key });
    expect(validate(value)).toEqual([]);
    expect(stringifyJson(value).length).toBeLessThan(100_000);
  }
});

test.each([
  ['@', /^[a-z]+@example\.com$/],
  ['[^@]+@[^@]+\\.[^@]+', /^[a-z]+@example\.com$/],
  ['://', /^https:\/\/example\.com\/[a-z]+$/],
  ['^.*?$', /^[a-z]+$/],
  ['\\b[A-Z]\\w+?\\b', /^[A-Z][a-z]+$/],
  ['[0-9]', /^[a-z]+\d+$/],
  ['\\d+', /^\d+$/],
  ['\\.pdf$', /^[a-z]+\.pdf$/],
])('what the pattern %s leaves open is filled as people write', async (pattern, want) => {
  const { shape } = await schemaInUse({ type: 'string', pattern });
  for (const key of ['a', 'b', 'c']) expect(sample(shape, { key })).toMatch(want);
});

describe('where a pattern matches no string', () => {
  const none = { type: 'string', pattern: '.^' };

  test.each<[schema: object, want: unknown]>([
    [none, expect.any(String)],
    [{ type: 'object', properties: { a: none, b: { const: 1 } } }, { b: 1 }],
    [{ type: 'object', properties: { a: none }, required: ['a'] }, { a: expect.any(String) }],
    [{ type: 'array', items: none }, []],
    [{ type: 'array', items: none, minItems: 2 }, [expect.any(String), expect.any(String)]],
    [
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: none }, required: ['b'] }, c: { const: 1 } },
      },
      { c: 1 },
    ],
    [{ oneOf: [none, { const: 1 }, none] }, 1],
    [{ type: 'object', properties: { a: { type: 'null' } } }, { a: null }],
  ])('%j', async (schema, want) => {
    const { shape } = await schemaInUse(schema);
    for (const key of ['1', '2', '3']) expect(sample(shape, { key })).toEqual(want);
  });
});

describe('a value of a choice fits it, and takes every form over time', () => {
  const text = { type: 'string' };
  const record = (properties: object, others: object = {}) => ({ type: 'object', properties, ...others });
  const formOf = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : typeof value;

  test.each<[schema: object, forms: string[]]>([
    [{ oneOf: [text, { type: 'integer' }, { type: 'boolean' }] }, ['string', 'number', 'boolean']],
    [{ anyOf: [text, { type: 'integer' }] }, ['string', 'number']],
    [{ oneOf: [{ required: ['a'] }, { required: ['b'] }], ...record({ a: text, b: text }) }, ['a', 'b']],
    [
      {
        oneOf: [record({ a: text }, { required: ['a'] }), record({ a: text, b: text }, { required: ['b'] })],
      },
      ['a', 'b'],
    ],
    [
      {
        oneOf: [
          record({ a: { const: 1 } }, { required: ['a'] }),
          record({ a: { const: 2 } }, { required: ['a'] }),
        ],
      },
      ['a'],
    ],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, ['number']],
    [
      {
        oneOf: [
          { type: 'string', maxLength: 3 },
          { type: 'string', minLength: 2 },
        ],
      },
      ['string'],
    ],
    [
      {
        oneOf: [
          { ...text, format: 'binary' },
          { ...text, format: 'uri' },
        ],
      },
      ['string'],
    ],
    [
      {
        oneOf: [
          ...['a', 'b', 'c', 'd'].map((name) => record({ [name]: text }, { required: [name] })),
          { type: 'object', additionalProperties: true },
        ],
      },
      [''],
    ],
    [
      { allOf: [{ oneOf: [record({ a: text }, { required: ['a'] }), text] }, { anyOf: [{}, {}] }] },
      ['a', 'string'],
    ],
  ])('%j', async (schema, forms) => {
    const { shape, validate } = await schemaInUse(schema);
    const samples = Array.from({ length: 40 }, (_, index) => sample(shape, { key: `${index}` }));
    expect(samples.flatMap((value) => validate(value))).toEqual([]);
    expect(new Set(samples.map(formOf))).toEqual(new Set(forms));
  });

  test('a map has entries', async () => {
    const { shape, validate } = await schemaInUse(record({}, { additionalProperties: { type: 'integer' } }));
    for (const key of ['1', '2', '3']) {
      const value = sample(shape, { key }) as Record<string, number>;
      expect(validate(value)).toEqual([]);
      expect(Object.keys(value).length).toBeGreaterThan(0);
    }
    const recursive = { type: 'object', additionalProperties: { $ref: `${R}/Tree` } };
    const { shape: tree } = await schemaInUse({ $ref: `${R}/Tree` }, { others: { Tree: recursive } });
    expect(stringifyJson(sample(tree, { key: '1' })).length).toBeLessThan(1000);
  });
});

test('examples of members that break their schema together are generated anew', async () => {
  const same = { properties: { a: { const: 'x' }, b: { const: 'x' } } };
  const member = { type: 'string', example: 'x' };
  const { shape, validate } = await schemaInUse({
    required: ['a', 'b'],
    properties: { a: member, b: member },
    not: same,
  });
  expect(validate(sample(shape, { key: 'k', withExamples: true }))).toEqual([]);
});
