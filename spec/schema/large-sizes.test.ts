import { expect, test } from 'vitest';
import { problemsOf, schemaInUse } from '../testing/contract-of.ts';
import { explore } from './explore.ts';
import { invalidValues } from './invalid-values.ts';
import { isLargeHint } from './large-sizes.ts';
import { findSample, sample } from './sample.ts';

const HUGE = 1_000_000_000;
const list = (minItems: number, items: object) => ({ type: 'array', minItems, items });

const LARGE: [name: string, keyword: string, schema: object][] = [
  ['items', 'minItems', list(HUGE, { type: 'string' })],
  ['unique items', 'minItems', { ...list(HUGE, { type: 'integer' }), uniqueItems: true }],
  ['unique items of few values', 'minItems', { ...list(HUGE, { type: 'boolean' }), uniqueItems: true }],
  ['items of any type', 'minItems', { type: 'array', minItems: 400_000_000 }],
  ['the first items', 'minItems', { type: 'array', minItems: HUGE, prefixItems: [{ type: 'string' }] }],
  ['contained items', 'minContains', { type: 'array', minContains: HUGE, contains: { type: 'integer' } }],
  ['characters', 'minLength', { type: 'string', minLength: 400_000_000 }],
  ['characters of a format', 'minLength', { type: 'string', minLength: HUGE, format: 'email' }],
  ['characters of a pattern', 'minLength', { type: 'string', minLength: HUGE, pattern: '^[a-z]+$' }],
  ['members', 'minProperties', { type: 'object', minProperties: HUGE, additionalProperties: {} }],
  ['items in items', 'minItems', list(1000, list(100, list(10, { type: 'string' })))],
  ['characters in items', 'minItems', list(1000, { type: 'string', minLength: 50_000 })],
  ['a count in a pattern', 'pattern', { type: 'string', pattern: `^x{${HUGE}}$` }],
  ['counts in a pattern', 'pattern', { type: 'string', pattern: '^(?:x{1000}){1000}$' }],
];

test.each(LARGE)('%s in a number that no value should have', async (_, keyword, schema) => {
  const { shape, validate } = await schemaInUse(schema);
  expect(findSample(shape, { key: 'a' })).toBeUndefined();
  const holder = (required: string[]) =>
    schemaInUse({ type: 'object', required, properties: { id: { type: 'integer' }, held: schema } });
  const optional = await holder(['id']);
  const made = sample(optional.shape, { key: 'a' });
  expect(made).toEqual({ id: expect.any(Number) });
  expect(optional.validate(made)).toEqual([]);
  expect(sample((await holder(['held'])).shape, { key: 'a' })).toEqual({
    id: expect.any(Number),
    held: expect.anything(),
  });

  // An existing value is validated as the document says.
  const small = { string: 'x', array: [1], object: { a: 1 } }[(schema as { type: 'array' }).type];
  expect(validate(small).length).toBeGreaterThan(0);
  for (const { value } of invalidValues(shape, small))
    expect(JSON.stringify(value).length).toBeLessThan(5_000_000);
  const tried: unknown[] = [];
  const options = { seed: 1, runs: 2, omit: () => false, fixed: () => undefined };
  const isHeld = await explore(shape, validate, options, async (value) => tried.push(value) > 0);
  expect([isHeld, tried]).toEqual([true, []]);

  const content = { 'application/json': { schema } };
  const get = { responses: { 200: { description: '', content } } };
  const document = { openapi: '3.1.1', info: { title: 'a', version: '1' }, paths: { '/a': { get } } };
  const text = JSON.stringify(document, undefined, 1);
  const at = text.split('\n').findIndex((line) => line.includes(`"${keyword}"`));
  expect(await problemsOf({ 'a.json': text })).toMatchObject([
    {
      uri: 'a.json',
      line: at + 1,
      message: expect.stringMatching(new RegExp(`^"${keyword}" .* judged.*, but none are generated$`)),
    },
  ]);
});

test.each([
  ['items', list(5000, { type: 'string' })],
  ['items of few values', { ...list(500, { type: 'integer' }), uniqueItems: true }],
  ['items in items', list(30, list(30, list(5, { type: 'integer' })))],
  ['characters', { type: 'string', minLength: 50_000 }],
  ['members', { type: 'object', minProperties: 3000, additionalProperties: { type: 'string' } }],
])('many %s are generated', async (_, schema) => {
  const { shape, validate, contract } = await schemaInUse(schema);
  expect(contract.warnings).toEqual([]);
  expect(validate(sample(shape, { key: 'a' }))).toEqual([]);
});

test('what optional members would add is left out where there is no more room', async () => {
  const items = { type: 'object', properties: { a: list(1000, { type: 'integer' }) } };
  const { shape, validate } = await schemaInUse(list(1000, items));
  const made = sample(shape, { key: 'a' }) as object[];
  expect(validate(made)).toEqual([]);
  expect(JSON.stringify(made).length).toBeLessThan(100_000);
});

test('values with more items than usual are explored', async () => {
  const { shape, validate } = await schemaInUse(list(6, { type: 'boolean' }));
  const options = { seed: 1, runs: 5, omit: () => false, fixed: () => undefined };
  const lengths: number[] = [];
  await explore(shape, validate, options, async (value) => lengths.push((value as []).length) > 0);
  expect(lengths).toEqual([6, 6, 6, 6, 6]);
});

test.each<[hint: unknown, boolean]>([
  ['lorem.words', false],
  [{ 'lorem.words': 7 }, false],
  [{ 'number.int': { min: 1, max: HUGE } }, false],
  [{ 'number.int': HUGE }, false],
  [{ 'date.between': { from: 1_700_000_000_000, to: 1_800_000_000_000 } }, false],
  [{ 'lorem.words': HUGE }, true],
  [{ 'lorem.words': { min: HUGE, max: HUGE } }, true],
  [{ 'string.alpha': { length: { min: HUGE, max: HUGE } } }, true],
  [{ 'internet.password': { length: HUGE } }, true],
  [{ 'finance.accountNumber': HUGE }, true],
  [{ 'date.betweens': { from: 1, to: 2, count: HUGE } }, true],
  [{ 'helpers.fromRegExp': `[a-z]{${HUGE}}` }, true],
])('faker is not asked for too large values: %j', (hint, want) => {
  expect(isLargeHint(hint)).toBe(want);
});
