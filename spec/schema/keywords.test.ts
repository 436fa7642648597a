import { describe, expect, test } from 'vitest';
import { documentOf, problemsOf, schemaInUse } from '../testing/contract-of.ts';

const WRONG: [schema: object, want: RegExp][] = [
  [{ type: 'strin' }, /^"type" must be one of null, boolean/],
  [{ type: [] }, /^"type" must be one of/],
  [{ minimum: 'a' }, /^"minimum" must be a number$/],
  [{ maximum: '10' }, /^"maximum" must be a number$/],
  [{ exclusiveMinimum: 'x' }, /^"exclusiveMinimum" must be a number$/],
  [{ exclusiveMaximum: true }, /^"exclusiveMaximum" must be a number in OpenAPI 3\.1: the bound itself/],
  [{ multipleOf: 0 }, /^"multipleOf" must be a number above 0$/],
  [{ pattern: '(' }, /^"pattern" must be a regular expression/],
  [{ pattern: 5 }, /^"pattern" must be a regular expression/],
  [{ minLength: -1 }, /^"minLength" must be a count of 0 or more$/],
  [{ maxItems: 1.5 }, /^"maxItems" must be a count of 0 or more$/],
  [{ required: true }, /^"required" must be a list of names$/],
  [{ required: [1] }, /^"required" must be a list of names$/],
  [{ enum: 'a' }, /^"enum" must be a list of at least one value$/],
  [{ enum: [] }, /^"enum" must be a list of at least one value$/],
  [{ format: 1 }, /^"format" must be a string$/],
  [{ properties: ['a'] }, /^"properties" must be an object of schemas$/],
  [{ properties: { a: 'string' } }, /^"properties" must be an object of schemas$/],
  [{ items: [{}] }, /^"items" must be a schema, true or false$/],
  [{ additionalProperties: 'no' }, /^"additionalProperties" must be a schema, true or false$/],
  [{ allOf: [] }, /^"allOf" must be a list of schemas$/],
  [{ oneOf: {} }, /^"oneOf" must be a list of schemas$/],
  [{ uniqueItems: 'yes' }, /^"uniqueItems" must be true or false$/],
  [{ readOnly: 1 }, /^"readOnly" must be true or false$/],
  [{ dependentRequired: { a: 'b' } }, /^"dependentRequired" must be an object of lists of names$/],
];

describe('a malformed keyword is a problem at its own source position', () => {
  test.each(WRONG)('%j', async (schema, want) => {
    // Deep inside, so that the walk over all subschemas is seen as well.
    const nested = { properties: { a: { anyOf: [{ items: schema }] } } };
    const content = { 'application/json': { schema: nested } };
    const document = documentOf({ '/a': { get: { responses: { 200: { description: '', content } } } } });
    const text = JSON.stringify(document, undefined, 1);
    const [keyword] = Object.keys(schema);
    const line = text.split('\n').findLastIndex((each) => each.includes(`"${keyword}":`)) + 1;
    expect(await problemsOf({ 'a.json': text })).toEqual([
      expect.objectContaining({ line, message: expect.stringMatching(want) }),
    ]);
  });
});

test('.nan and .inf are no bounds', async () => {
  const text = (bound: string) =>
    `openapi: 3.1.1\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: a, in: query, schema: {minimum: ${bound}}}\n`;
  for (const bound of ['.inf', '-.inf', '.nan']) {
    const [problem] = await problemsOf({ 'a.yaml': text(bound) });
    expect(problem).toMatchObject({ line: 6, message: '"minimum" must be a number' });
  }
});

test('a property may have the name of a keyword', async () => {
  const properties = { type: { type: 'string' }, required: {}, enum: {}, $ref: { type: 'integer' } };
  const { validate } = await schemaInUse({ properties });
  expect(validate({ type: 'x', required: 1, enum: 'x', $ref: 1 })).toEqual([]);
  expect(validate({ type: 1, $ref: 'x' })).toHaveLength(2);
});
