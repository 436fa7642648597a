import { expect, test } from 'vitest';
import { hintText, readText, textOf, withMember } from './member-value.ts';

test.each<[string | undefined, unknown]>([
  ['integer', 9007199254740993n],
  ['integer', 'many'],
  ['integer', '7'],
  ['string', '7'],
  ['string', 'null'],
  [undefined, '7'],
  [undefined, 'a'],
  [undefined, { red: [1, 1n << 60n] }],
])('what a field of type %s shows of %s stands for the same value', (type, value) => {
  expect(readText({ type }, textOf({ type }, value))).toEqual(value);
});

test('what is on its way to a number is a text for the mock to judge', () => {
  expect(readText({ type: 'number' }, '1.')).toBe('1.');
  expect(readText({ type: 'array' }, '[1')).toBe('[1');
});

test('a member that is emptied is absent, and the others keep their order', () => {
  expect(Object.keys(withMember({ a: 1, b: 2, c: 3 }, 'a', 4))).toEqual(['a', 'b', 'c']);
  expect(withMember({ a: 1, b: null }, 'a', undefined)).toEqual({ b: null });
});

test('a field says its type and what it is, of links the text', () => {
  const field = {
    name: 'a',
    type: 'string',
    format: 'date',
    nullable: true,
    required: false,
    readOnly: false,
  };
  const description = 'One of [the codes](https://a.example/x), or [].';
  expect(hintText({ ...field, description, values: undefined })).toBe(
    'string (date) or null – One of the codes, or [].',
  );
});
