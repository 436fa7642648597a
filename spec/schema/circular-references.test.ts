import { describe, expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';
import { sample } from './sample.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const others = {
  Pet: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'], oneOf: [to('Cat')] },
  Cat: { allOf: [to('Pet'), { properties: { lives: { type: 'integer' } }, required: ['lives'] }] },
  Deep: { allOf: [{ allOf: [{ type: 'object' }, to('Deep')] }] },
  Not: { not: { anyOf: [to('Not')] } },
  Link: { type: 'object', properties: { next: to('Link') } },
};

describe('a schema that applies itself to the same instance is cut', () => {
  // From either side the same step goes: those who extend keep what they extend.
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
