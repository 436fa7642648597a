import { expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';

import { breakEachKeyword } from './break-each-keyword.ts';
import { plainlyFits } from './roughly-fits.ts';
import { sample } from './sample.ts';

const PLAIN = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    small: { type: 'integer', format: 'int32' },
    name: { type: 'string', minLength: 2, maxLength: 5 },
    share: { type: 'number', minimum: 0, exclusiveMaximum: 1 },
    state: { type: 'string', enum: ['open', 'shut'] },
    old: { type: 'boolean', description: 'An annotation', 'x-own': true },
  },
};

test('of plain members it says what the validator says', async () => {
  const { shape, validate } = await schemaInUse(PLAIN);
  const valid = Array.from({ length: 20 }, (_, index) => sample(shape, { key: `sample ${index}` }));
  const broken = valid.flatMap((value) => breakEachKeyword(shape, value, validate)).map(({ value }) => value);
  const hasAll = (value: unknown) =>
    typeof value === 'object' && value !== null && 'id' in value && 'name' in value;
  expect(broken.filter(hasAll).length).toBeGreaterThan(100);
  for (const value of [...valid, ...broken].filter(hasAll))
    expect([value, plainlyFits(shape, value)]).toEqual([value, validate(value).length === 0]);
});

test.each<[string, object]>([
  ['a pattern', { pattern: '^a' }],
  ['another format', { format: 'email' }],
  ['an object', { type: 'object' }],
  ['alternatives', { anyOf: [{ minLength: 1 }] }],
  ['a constant', { const: 'a' }],
])('%s is left to the validator', async (_, member) => {
  const { shape } = await schemaInUse({ type: 'object', properties: { name: member } });
  expect(plainlyFits(shape, { name: 'abc' })).toBeUndefined();
});

test('so is what is missing, and a whole that is no object', async () => {
  const { shape } = await schemaInUse(PLAIN);
  expect(plainlyFits(shape, { name: 'abc' })).toBeUndefined();
  expect(plainlyFits(shape, 'abc')).toBeUndefined();
});
