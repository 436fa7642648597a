import { describe, expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';
import type { Violation } from './validator.ts';

const brief = (violations: readonly Violation[]) =>
  violations.map(({ pointer, keyword, expected }) => `${pointer} ${keyword}: ${expected}`);

const REPORTS: [name: string, { schema: object; value: unknown; want: string[] }][] = [
  [
    'every violation at once',
    {
      schema: {
        type: 'object',
        required: ['a', 'b'],
        properties: { c: { type: 'integer', minimum: 1 }, d: { maxLength: 1 } },
      },
      value: { c: 0, d: 'xx' },
      want: [
        '/a required: is required',
        '/b required: is required',
        '/c minimum: must be at least 1',
        '/d maxLength: must have at most 1 character',
      ],
    },
  ],
  [
    'only formats that JSON Schema or the registry of OpenAPI defines are asserted',
    {
      schema: {
        properties: {
          a: { format: 'uri' },
          b: { format: 'url' },
          c: { format: 'iso-date-time' },
          d: { format: 'json-pointer-uri-fragment' },
          e: { format: 'unheard-of' },
        },
      },
      value: { a: 'no form', b: '/api/contents/x', c: 'no form', d: 'no form', e: 'no form' },
      want: ['/a format: must fit the format uri'],
    },
  ],
  [
    'classes that close each their own members are closed as a whole',
    {
      schema: {
        allOf: [
          { required: ['kind'], properties: { kind: { type: 'string' } }, additionalProperties: false },
          { required: ['size'], properties: { size: { type: 'integer' } }, additionalProperties: false },
        ],
        additionalProperties: false,
      },
      value: { kind: 'a', size: 'b', other: 1 },
      want: ['/size type: must be an integer', ' unevaluatedProperties: must not have the member "other"'],
    },
  ],
  [
    'names with slashes and tildes are escaped',
    {
      schema: { required: ['a/b'], properties: { 'c~d': { type: 'null' } } },
      value: { 'c~d': 1 },
      want: ['/a~1b required: is required', '/c~0d type: must be null'],
    },
  ],
  [
    'through references',
    {
      schema: { properties: { a: { $ref: '#/components/schemas/List' } } },
      value: { a: [1, 'x', { at: 1.5 }] },
      want: ['/a/1 anyOf: must be an integer or an object', '/a/2/at type: must be an integer'],
    },
  ],
  [
    'a oneOf between types is one violation',
    {
      schema: { oneOf: [{ type: 'string' }, { type: ['integer', 'null'] }] },
      value: true,
      want: [' oneOf: must be a string or an integer or null'],
    },
  ],
  [
    'anyOf reports the branch of the right type',
    {
      schema: { anyOf: [{ $ref: '#/components/schemas/Cat' }, { type: 'null' }] },
      value: { kind: 'cat' },
      want: ['/lives required: is required'],
    },
  ],
  [
    'oneOf reports the branch with the right tag',
    {
      schema: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
      value: { kind: 'dog', bark: 1 },
      want: ['/bark type: must be a string'],
    },
  ],
  [
    'what all branches of the right type lack alike',
    {
      schema: { anyOf: [...'ab'].map((name) => ({ required: ['id'], properties: { [name]: {} } })) },
      value: { a: 1 },
      want: ['/id required: is required'],
    },
  ],
  [
    'oneOf without a matching branch',
    {
      schema: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
      value: { kind: 'cow' },
      want: [' oneOf: must fit one of the alternatives'],
    },
  ],
  [
    'oneOf without a matching branch, with unevaluatedProperties',
    {
      schema: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        unevaluatedProperties: false,
      },
      value: { kind: 'cow' },
      want: [
        ' oneOf: must fit one of the alternatives',
        ' unevaluatedProperties: must not have the member "kind"',
      ],
    },
  ],
  [
    'oneOf with several matching branches',
    {
      schema: { oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'string' }] },
      value: 1,
      want: [' oneOf: fits several of the alternatives, and must fit just one'],
    },
  ],
  [
    'violations beside oneOf are kept',
    {
      schema: {
        required: ['x'],
        properties: { kind: { maxLength: 2 } },
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      },
      value: { kind: 'cow' },
      want: [
        '/x required: is required',
        '/kind maxLength: must have at most 2 characters',
        ' oneOf: must fit one of the alternatives',
      ],
    },
  ],
  [
    'a member that must be absent',
    {
      schema: { properties: { a: false }, additionalProperties: false },
      value: { a: 1, b: 2 },
      want: [' additionalProperties: must not have the member "b"', '/a false: must be absent'],
    },
  ],
  [
    'names, contents and dependencies',
    {
      schema: {
        propertyNames: { pattern: '^[a-z]$' },
        dependentRequired: { a: ['b'] },
        properties: { a: { contains: { type: 'string' } } },
      },
      value: { a: [1, 2], AB: 1 },
      want: [
        ' propertyNames: must not have a member named "AB"',
        ' dependentRequired: must have "b" beside "a"',
        '/a contains: must have at least 1 item that the schema under "contains" describes',
      ],
    },
  ],
];

const OTHERS = {
  List: { type: 'array', items: { anyOf: [{ type: 'integer' }, { $ref: '#/components/schemas/Point' }] } },
  Point: { type: 'object', required: ['at'], properties: { at: { type: 'integer' } } },
  Cat: {
    type: 'object',
    required: ['kind', 'lives'],
    properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
  },
  Dog: {
    type: 'object',
    required: ['kind', 'bark'],
    properties: { kind: { const: 'dog' }, bark: { type: 'string' } },
  },
};

describe('reported violations', () => {
  test.each(REPORTS)('%s', async (_name, { schema, value, want }) => {
    const { validate } = await schemaInUse(schema, { others: OTHERS });
    expect(brief(validate(value)).sort()).toEqual([...want].sort());
  });
});

test('validation leaves no state behind', async () => {
  const { validate } = await schemaInUse({ $ref: '#/components/schemas/Cat' }, { others: OTHERS });
  const first = validate({});
  expect(first).toHaveLength(2);
  expect(validate({ kind: 'cat', lives: 9 })).toEqual([]);
  expect(validate({})).toEqual(first);
});

test('keywords of other drafts are ignored', async () => {
  const { validate } = await schemaInUse({
    ...{ id: 'x', nullable: true, dependencies: { a: ['b'] }, definitions: { a: false }, $async: true },
    type: 'integer',
  });
  expect(brief(validate(null))).toEqual([' type: must be an integer']);
  expect(validate(1)).toEqual([]);
});

test('a pattern that is valid only without the flag u is applied', async () => {
  const { validate } = await schemaInUse({ properties: { a: { pattern: '^[\\w-.]+\\@$' } } });
  expect(validate({ a: 'a-b.c@' })).toEqual([]);
  expect(brief(validate({ a: 'a b' }))).toEqual(['/a pattern: must match the pattern ^[\\w-.]+\\@$']);
});

test('a chain of a thousand references is resolved', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `S${index}`,
      { type: 'object', properties: { next: { $ref: `#/components/schemas/S${(index + 1) % 1000}` } } },
    ]),
  );
  const { validate } = await schemaInUse({ $ref: '#/components/schemas/S0' }, { others });
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : { next: nested(depth - 1) });
  expect(brief(validate(nested(300)))).toEqual([`${'/next'.repeat(300)} type: must be an object`]);
});

test('what is nested deeply in alternatives is looked at once, whatever they leave unevaluated', async () => {
  const tree = { $ref: '#/components/schemas/Tree' };
  const Tree = {
    anyOf: [{ properties: { a: tree } }, { properties: { b: tree } }],
    unevaluatedProperties: false,
  };
  const { validate } = await schemaInUse(tree, { others: { Tree } });
  const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });
  // Checking each level twice would take a thousand times the limit of this test.
  expect(validate(nested(40))).toEqual([]);
});

test('what was compiled can be dropped, and is compiled again', async () => {
  const schema = { type: 'object', properties: { c: { type: 'integer' } } };
  const { contract, validate } = await schemaInUse(schema);
  const want = brief(validate({ c: 'x' }));
  expect(want).toHaveLength(1);
  contract.validators.trim(0);
  expect(brief(validate({ c: 'x' }))).toEqual(want);
  expect(validate({ c: 1 })).toEqual([]);
});
