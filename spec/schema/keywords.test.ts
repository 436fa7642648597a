import { describe, expect, test } from 'vitest';
import { contractOf, documentOf, problemsOf, schemaInUse } from '../testing/contract-of.ts';
import { sample } from './sample.ts';

const WRONG: [schema: object, want: RegExp][] = [
  [{ type: 'strin' }, /^"type" must be one of null, boolean/],
  [{ type: [] }, /^"type" must be one of/],
  [{ minimum: 'a' }, /^"minimum" must be a number; it is ignored$/],
  [{ maximum: '10' }, /^"maximum" must be a number; it is ignored$/],
  [{ exclusiveMinimum: 'x' }, /^"exclusiveMinimum" must be a number; it is ignored$/],
  [{ exclusiveMaximum: true }, /^"exclusiveMaximum" must be a number in OpenAPI 3\.1: the bound itself/],
  [{ multipleOf: 0 }, /^"multipleOf" must be a number above 0; it is ignored$/],
  [{ pattern: '(' }, /^"pattern" must be a regular expression/],
  [{ pattern: 5 }, /^"pattern" must be a regular expression/],
  [{ minLength: -1 }, /^"minLength" must be a count of 0 or more; it is ignored$/],
  [{ maxItems: 1.5 }, /^"maxItems" must be a count of 0 or more; it is ignored$/],
  [{ required: true }, /^"required" must be a list of names; it is ignored$/],
  [{ required: [1] }, /^"required" must be a list of names; it is ignored$/],
  [{ enum: 'a' }, /^"enum" must be a list of at least one value; it is ignored$/],
  [{ enum: [] }, /^"enum" must be a list of at least one value; it is ignored$/],
  [{ format: 1 }, /^"format" must be a string; it is ignored$/],
  [{ properties: ['a'] }, /^"properties" must be an object of schemas; it is ignored$/],
  [{ properties: { a: 'string' } }, /^"a" in "properties" must be a schema, true or false; it is ignored$/],
  [{ items: [{}] }, /^"items" must be a schema, true or false; it is ignored$/],
  [{ additionalProperties: 'no' }, /^"additionalProperties" must be a schema, true or false; it is ignored$/],
  [{ allOf: [] }, /^"allOf" must be a list of schemas; it is ignored$/],
  [{ oneOf: {} }, /^"oneOf" must be a list of schemas; it is ignored$/],
  [{ uniqueItems: 'yes' }, /^"uniqueItems" must be true or false; it is ignored$/],
  [{ readOnly: 1 }, /^"readOnly" must be true or false; it is ignored$/],
  [
    { dependentRequired: { a: 'b' } },
    /^"dependentRequired" must be an object of lists of names; it is ignored$/,
  ],
];

describe('a malformed keyword is a problem at its own source position', () => {
  test.each(WRONG)('%j', async (schema, want) => {
    // Nested deeply, to test the walk over all subschemas.
    const nested = { properties: { a: { anyOf: [{ items: schema }] } } };
    const content = { 'application/json': { schema: nested } };
    const document = documentOf({ '/a': { get: { responses: { 200: { description: '', content } } } } });
    const text = JSON.stringify(document, undefined, 1);
    const [keyword] = Object.keys(schema);
    const [, name = keyword] = /^\^"(\w+)" in /.exec(want.source) ?? [];
    const line = text.split('\n').findLastIndex((each) => each.includes(`"${name}":`)) + 1;
    const problem = expect.objectContaining({ line, message: expect.stringMatching(want) });
    expect(await problemsOf({ 'a.json': text })).toEqual([problem]);
    expect((await contractOf({ 'a.json': text })).warnings).toEqual([problem]);
  });

  test.each(WRONG)('%j promises nothing', async (schema) => {
    const { validate, shape } = await schemaInUse({ properties: { a: schema } });
    for (const value of [null, true, '', [], {}, 0, 2n ** 70n]) expect(validate({ a: value })).toEqual([]);
    expect(validate(sample(shape, { key: 'a' }))).toEqual([]);
  });
});

test('a map of schemas may be referred to, with a warning', async () => {
  const others = { Base: { properties: { a: { type: 'integer' }, b: { enum: [] } } } };
  const { validate, contract } = await schemaInUse(
    { properties: { $ref: '#/components/schemas/Base/properties' } },
    { others },
  );
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    '"properties" must be an object of schemas, not a $ref; it is followed',
    '"enum" must be a list of at least one value; it is ignored',
  ]);
  expect(validate({ a: 'x', b: 1 })).toMatchObject([{ pointer: '/a', keyword: 'type' }]);
});

test('.nan and .inf are no bounds', async () => {
  const text = (bound: string) =>
    `openapi: 3.1.1\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: a, in: query, schema: {minimum: ${bound}}}\n`;
  for (const bound of ['.inf', '-.inf', '.nan']) {
    const [problem] = await problemsOf({ 'a.yaml': text(bound) });
    expect(problem).toMatchObject({ line: 6, message: '"minimum" must be a number; it is ignored' });
  }
});

test('a property may have the name of a keyword', async () => {
  const properties = { type: { type: 'string' }, required: {}, enum: {}, $ref: { type: 'integer' } };
  const { validate } = await schemaInUse({ properties });
  expect(validate({ type: 'x', required: 1, enum: 'x', $ref: 1 })).toEqual([]);
  expect(validate({ type: 1, $ref: 'x' })).toHaveLength(2);
});

test('a pattern between slashes is the expression without them, with a warning', async () => {
  const schema = { type: 'string', pattern: '/^[a-z]{3}$/i' };
  const { validate, shape, contract } = await schemaInUse(schema);
  expect(validate('abc')).toEqual([]);
  expect(validate('/abc/')).toHaveLength(1);
  expect(validate(sample(shape, { key: 'a' }))).toEqual([]);
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    '"pattern" must be an expression without "/" around it; it is read as ^[a-z]{3}$',
  ]);
});

test.each([
  ['/urn:[a-z]{3}/i', 'urn:abc'],
  ['/files/i', '/files/i'],
])('the pattern %s matches %s', async (pattern, text) => {
  const { validate } = await schemaInUse({ type: 'string', pattern });
  expect(validate(text)).toEqual([]);
});

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const others = {
  Pet: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'], oneOf: [to('Cat')] },
  Cat: { allOf: [to('Pet'), { properties: { lives: { type: 'integer' } }, required: ['lives'] }] },
  Deep: { allOf: [{ allOf: [{ type: 'object' }, to('Deep')] }] },
  Not: { not: { anyOf: [to('Not')] } },
  Link: { type: 'object', properties: { next: to('Link') } },
};

describe('a schema that applies itself to the same instance is cut', () => {
  // The same reference is cut from either side: extending schemas keep what they extend.
  test.each<[name: string, valid: unknown, invalid: unknown]>([
    ['Pet', { kind: 'x' }, {}],
    ['Cat', { kind: 'x', lives: 9 }, { lives: 9 }],
    ['Deep', {}, 1],
  ])('%s', async (name, valid, invalid) => {
    const { validate, shape, contract } = await schemaInUse(to(name), { others });
    expect(contract.warnings.map(({ message }) => message)).toEqual([
      'this leads back to a schema that contains it, without end; it is ignored',
    ]);
    expect(validate(valid)).toEqual([]);
    expect(validate(invalid)).not.toEqual([]);
    expect(validate(sample(shape, { key: 'a' }))).toEqual([]);
  });

  test('what is negated promises nothing any more', async () => {
    const { validate } = await schemaInUse({ properties: { a: to('Not') } }, { others });
    expect(validate({ a: 1 })).toEqual([]);
  });
});

test('a member of the same schema is another instance', async () => {
  const { contract } = await schemaInUse(to('Link'), { others });
  expect(contract.warnings).toEqual([]);
});
