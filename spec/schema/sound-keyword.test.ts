import { expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';

/** A part that is ignored never makes the whole refuse more. */
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
