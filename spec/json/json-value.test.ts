import { expect, test } from 'vitest';
import { EqualValues, isEqual, isWithin, parseFragment, toPointer } from './json-value.ts';

test.each<[left: unknown, right: unknown, want: boolean]>([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [2n ** 60n, 2n ** 60n, true],
  [null, null, true],
  [1, '1', false],
  [null, {}, false],
  [[], {}, false],
  [[1, 2], [2, 1], false],
  [{ a: undefined }, { b: undefined }, false],
  [{ toString: 1 }, { a: 1 }, false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
])('%o equals %o: %j', (left, right, want) => {
  expect(isEqual(left, right)).toBe(want);
  expect(new EqualValues([left]).has(right)).toBe(want);
  expect(new EqualValues([left]).add(right)).toBe(!want);
});

test.each<[path: string[], pointer: string]>([
  [[], ''],
  [['a', '0'], '/a/0'],
  [[''], '/'],
  [['a/b', 'c~d', '~1'], '/a~1b/c~0d/~01'],
])('the pointer of %j is %j', (path, pointer) => {
  expect(toPointer(path)).toBe(pointer);
  expect(parseFragment(pointer)).toEqual(path);
});

test.each<[fragment: string, path: string[] | undefined]>([
  ['/a%20b/%7E1', ['a b', '/']],
  ['/%C3%A9', ['é']],
  ['anchor', undefined],
  ['/%zz', undefined],
])('the path of the fragment %j is %j', (fragment, path) => {
  expect(parseFragment(fragment)).toEqual(path);
});

test.each<[pointer: string, outer: string, want: boolean]>([
  ['/a', '/a', true],
  ['/a/b', '/a', true],
  ['/a', '', true],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
])('%j is within %j: %j', (pointer, outer, want) => {
  expect(isWithin(pointer, outer)).toBe(want);
});
