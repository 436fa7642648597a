import { expect, test } from 'vitest';
import { isEqual } from './json-value.ts';

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
});
