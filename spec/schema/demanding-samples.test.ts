import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';
import demanding from '../testing/demanding-schemas.json' with { type: 'json' };
import { findSample, sample } from './sample.ts';

/** Samples are made with this project's validator, so the test uses another one. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

const KEYS = ['1', '2', '3', '4', '5'];

describe('every sample fits', () => {
  const texts = demanding.patterns.map((demand) => [demand.pattern, { type: 'string', ...demand }] as const);
  const others = Object.entries(demanding.schemas as Record<string, { pattern?: string }>);

  test.each<readonly [string, { pattern?: string }]>([...texts, ...others])('%s', async (_, schema) => {
    const { shape } = await schemaInUse(schema);
    // Ajv compiles some expressions only without the flag `u`.
    const check = ajv.compile(isOfUnicode(schema) ? schema : { ...schema, pattern: '' });
    for (const key of KEYS) {
      const value = findSample(shape, { key });
      expect([value, check(value) ? [] : check.errors]).toEqual([value, []]);
      expect(sample(shape, { key })).toEqual(value);
    }
  });
});

function isOfUnicode({ pattern }: { pattern?: string }): boolean {
  try {
    return new RegExp(pattern ?? '', 'u') !== undefined;
  } catch {
    return false;
  }
}

const NONE = { type: 'string', pattern: '^(?!a)a$' };

test('a required value that cannot be made has its type, and an optional one is left out', async () => {
  const items = { type: 'array', items: NONE, minItems: 2 };
  const { shape } = await schemaInUse({
    type: 'object',
    required: ['text', 'items'],
    properties: { text: NONE, items, other: NONE, deep: { required: ['in'], properties: { in: NONE } } },
  });
  expect(sample(shape, { key: 'a' })).toEqual({
    text: expect.any(String),
    items: [expect.any(String), expect.any(String)],
  });
  expect(findSample(shape, { key: 'a' })).toBeUndefined();
});
