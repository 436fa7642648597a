import { expect, test } from 'vitest';
import { Shape } from '#spec';
import { contractWith } from '../testing/steps.ts';
import { shows } from './same-value.ts';

const SPOT = contractWith('listTools').resources[0]?.shape.spot;
const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });

test.each<[title: string, schema: object, sent: unknown, got: unknown, want: boolean]>([
  ['a member inside that the schema of the response does not have', object({ a: text }), { b: 1 }, {}, true],
  ['one that it has', object({ a: text }), { a: 'x' }, {}, false],
  ['one of an object without named members', { type: 'object' }, { a: 'x' }, {}, false],
  [
    'null for a member that must not be null',
    { ...object({ a: text }), required: ['a'] },
    { a: null },
    { a: 'x' },
    true,
  ],
  ['null for a member that may be left out', object({ a: text }), { a: null }, { a: 'x' }, false],
  ['a value that the response does not list', { enum: ['auto', 'hand'] }, 'usual', 'auto', true],
  ['one that it lists', { enum: ['auto', 'hand'] }, 'hand', 'auto', false],
  ['a type that no form has', { anyOf: [text, object({})] }, 7, '7', true],
  ['a type that one form has', { anyOf: [text, object({})] }, 'a', 'b', false],
  ['an id for the object with it', { anyOf: [text, object({ id: text })] }, 'a', { id: 'a' }, true],
  ['an id for another object', { anyOf: [text, object({ id: text })] }, 'a', { id: 'b' }, false],
  ['any value as the text that it is written as', {}, { a: [1] }, '{ "a": [1] }', true],
  ['any value as another text', {}, { a: [1] }, '{ "a": [2] }', false],
  ['an object as a text, which it may not be', { type: 'object' }, { a: 1 }, '{"a":1}', false],
])('%s', (_, schema, sent, got, want) => {
  if (!SPOT) throw new Error('there are no tools');
  const shape = new Shape([{ ...SPOT, value: schema }]);
  expect(shows(got, sent, shape)).toBe(want);
});
