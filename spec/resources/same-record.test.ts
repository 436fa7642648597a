import { expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { answerShape, sameRecord } from './record-schema.ts';

const object = (names: string) => ({
  type: 'object',
  properties: Object.fromEntries(names.split(' ').map((name) => [name, { type: 'string' }])),
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const ORDINARY = 'id name created_at updated_at status';
/** Members that are in many schemas say little. */
const others = Object.fromEntries([...'ABCDEFGH'].map((name) => [name, object(ORDINARY)]));

test.each<[string, object, object, boolean]>([
  ['most members of the smaller one', object('id breed coat'), object('id breed coat age'), true],
  ['written in another way', object('petId coatColour'), object('pet_id coat-colour age'), true],
  ['one is a part of the other', ref('A'), { allOf: [ref('A'), object('breed coat age')] }, true],
  ['half of the members', object('id breed coat age'), object('id breed size weight'), false],
  ['what many have', object(`${ORDINARY} breed coat`), object(`${ORDINARY} price currency`), false],
  ['one member', object('id'), object('id breed'), false],
])('%s', async (_, one, other, want) => {
  const get = (schema: object) => ({
    get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } },
  });
  const { operations } = await contractOf({
    'openapi.json': documentOf(
      { '/one': get(one), '/other': get(other) },
      { components: { schemas: others } },
    ),
  });
  const [left, right] = operations.map(answerShape);
  expect(left && right && sameRecord(left, right)).toBe(want);
});
