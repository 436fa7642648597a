import { expect, test } from 'vitest';
import { contractOf, documentOf } from './testing/contract-of.ts';
import { unmadeValues } from './unmade-values.ts';

const NONE = { type: 'string', pattern: '^(?!a)a$' };

test('what cannot be made is named once, where it is and by its keywords', async () => {
  const properties = {
    number: NONE,
    more: { type: 'array', items: { type: 'string', format: 'ipv4', maxLength: 3 }, minItems: 1 },
    odd: { type: 'object', required: ['a'], not: { required: ['a'] } },
    shown: { ...NONE, example: 'a', pattern: '^a' },
    hinted: { ...NONE, 'x-faker': 'person.firstName' },
    fine: { type: 'string', format: 'date-time', pattern: '^1999-' },
  };
  const content = {
    'application/json': { schema: { type: 'object', required: ['number'], properties } },
  };
  const get = { responses: { 200: { description: '', content } } };
  const { operations } = await contractOf({ 'a.json': documentOf({ '/a': { get }, '/b': { get } }) });
  expect(
    unmadeValues(operations.slice(0, 1)).map(({ operation, member, keywords, isRequired }) => ({
      ...{ operation, member, keywords, isRequired },
    })),
  ).toEqual([
    { operation: 'GET /a', member: 'number', keywords: 'pattern ^(?!a)a$', isRequired: true },
    { operation: 'GET /a', member: 'more[]', keywords: 'format ipv4 and maxLength 3', isRequired: true },
    { operation: 'GET /a', member: 'odd', keywords: 'not', isRequired: false },
  ]);
});
