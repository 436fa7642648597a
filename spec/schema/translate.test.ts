import { describe, expect, test } from 'vitest';
import type { Spot } from '../document/spot.ts';
import { contractOf, documentOf, schemaInUse } from '../testing/contract-of.ts';

const NULLABLE = { type: 'string', nullable: true };
const REFERENCE = { $ref: '#/components/schemas/Text', maxLength: 1, nullable: true };
const FLAGGED = { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false };

const VERSIONS: [name: string, openapi: string, schema: object, fits: unknown[], breaks: unknown[]][] = [
  ['nullable widens the type in 3.0', '3.0.3', NULLABLE, ['x', null], [1]],
  ['nullable is ignored in 3.1', '3.1.0', NULLABLE, ['x'], [1, null]],
  [
    'nullable beside a choice is one of them',
    '3.0.1',
    { nullable: true, oneOf: [{ type: 'string' }, { type: 'object', nullable: true }] },
    ['x', {}, null],
    [1],
  ],
  [
    'nullable beside a choice without null adds it',
    '3.0.1',
    { nullable: true, anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Text' }] },
    ['x', null],
    [1],
  ],
  ['nullable without a type is ignored', '3.0.3', { nullable: true, enum: ['a'] }, ['a'], [null]],
  ['siblings of $ref are ignored in 3.0', '3.0.3', REFERENCE, ['x', 'xx'], [1, null]],
  ['siblings of $ref apply in 3.1', '3.1.0', REFERENCE, ['x'], ['xx', null]],
  ['an exclusive bound is a flag in 3.0', '3.0.3', FLAGGED, [1.5, 2], [1, 3]],
  ['an exclusive bound is a number in 3.1', '3.1.0', { exclusiveMinimum: 1 }, [1.5], [1]],
  ['several types in 3.1', '3.1.0', { type: ['integer', 'null'] }, [1, null], ['x', 1.5]],
];

describe('a schema follows its version of OpenAPI', () => {
  test.each(VERSIONS)('%s', async (_name, openapi, schema, fits, breaks) => {
    const { validate } = await schemaInUse(schema, { openapi, others: { Text: { type: 'string' } } });
    expect(fits.filter((value) => validate(value).length > 0)).toEqual([]);
    expect(breaks.filter((value) => validate(value).length === 0)).toEqual([]);
  });
});

test('readOnly properties apply to responses only, writeOnly properties to requests only', async () => {
  const secret = { type: 'string', writeOnly: true };
  const schema = {
    allOf: [{ required: ['id', 'secret', 'name'] }, { $ref: '#/components/schemas/Record' }],
    unknown: 1,
  };
  const Record = {
    properties: { id: { type: 'integer', readOnly: true }, secret, name: { type: 'string' } },
    additionalProperties: false,
  };
  const request = await schemaInUse(schema, { others: { Record } });
  const response = await schemaInUse(schema, { others: { Record }, direction: 'response' });
  expect(request.validate({ secret: 's', name: 'n' })).toEqual([]);
  expect(request.validate({ id: 'ignored', secret: 's', name: 'n' })).toEqual([]);
  expect(request.validate({ id: 1, name: 'n' }).map(({ pointer }) => pointer)).toEqual(['/secret']);
  expect(response.validate({ id: 1, name: 'n' })).toEqual([]);
  expect(response.validate({ secret: 5, name: 'n' }).map(({ pointer }) => pointer)).toEqual(['/id']);
});

/** Ignoring a part must never make the whole schema reject more. */
const WRONG = { type: 'strin' };

test.each<[schema: object, accepted: unknown]>([
  [{ oneOf: [WRONG, { type: 'integer' }] }, 5],
  [{ oneOf: [{ properties: { a: WRONG } }, { type: 'object' }] }, {}],
  [{ oneOf: [{ $ref: '#/components/schemas/Wrong' }, { type: 'integer' }] }, 5],
  [{ not: WRONG }, 5],
  [{ not: { items: WRONG } }, []],
  [JSON.parse('{"if": {"type": "strin"}, "then": false}'), 5],
  [{ contains: WRONG, maxContains: 1 }, [1, 2]],
  [{ properties: [], additionalProperties: false }, { a: 1 }],
  [{ properties: { a: 5 }, additionalProperties: false }, { a: 1 }],
  [{ patternProperties: { '(': {} }, additionalProperties: false }, { a: 1 }],
  [{ prefixItems: 5, items: false }, [1]],
  [{ allOf: [{ properties: 5 }], unevaluatedProperties: false }, { a: 1 }],
])('%j accepts %j', async (schema, accepted) => {
  const { validate, contract } = await schemaInUse(schema, { others: { Wrong: WRONG } });
  expect(validate(accepted)).toEqual([]);
  expect(contract.warnings).not.toEqual([]);
});

test('what has no such part is validated as before', async () => {
  const { validate } = await schemaInUse({
    properties: { wrong: WRONG, a: { oneOf: [{ type: 'integer' }, { minimum: 3 }] }, b: { not: {} } },
  });
  expect(validate({ a: 5, b: 1 }).map(({ keyword }) => keyword)).toEqual(['oneOf', 'not']);
});

test('schemas that requests and responses refer to by turns are kept apart, also beside unevaluatedProperties', async () => {
  const names = ['A', 'B', 'C', 'D'];
  const refer = (name: string) => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
  });
  const post = {
    requestBody: { content: { ...refer('B'), 'application/vnd.d+json': refer('D')['application/json'] } },
    responses: {
      200: { description: '', content: refer('A') },
      201: { description: '', content: refer('C') },
    },
  };
  const schemas = Object.fromEntries(
    names.map((name) => [
      name,
      { required: [name], properties: { [name]: {} }, unevaluatedProperties: false },
    ]),
  );
  const { operations, validators } = await contractOf({
    'a.json': { ...documentOf({ '/a': { post } }), components: { schemas } },
  });
  const [operation] = operations;
  const [b, d] = operation?.body?.content ?? [];
  const [a, c] = operation?.responses.flatMap(({ content }) => content) ?? [];
  for (const [name, media] of Object.entries({ A: a, B: b, C: c, D: d })) {
    const validate = validators.compile(
      media?.schema as Spot,
      media === b || media === d ? 'request' : 'response',
    );
    expect(validate({ [name]: 1 })).toEqual([]);
    expect(validate({ other: 1 })).not.toEqual([]);
  }
});
