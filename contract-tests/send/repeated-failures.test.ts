import { expect, test } from 'vitest';
import { countFailures } from './pace.ts';

test('what has failed three times in the same way is hopeless, and what has passed since is not', () => {
  const failures = countFailures();
  for (const what of ['a', 'a', 'b']) failures.failed(what);
  expect(['a', 'b', 'c'].map(failures.isHopeless)).toEqual([false, false, false]);
  failures.failed('a');
  expect(['a', 'b', 'c'].map(failures.isHopeless)).toEqual([true, false, false]);
  failures.passed('a');
  expect(failures.isHopeless('a')).toBe(false);
});

test('six failures in a row leave no hope for anything, until something passes', () => {
  const failures = countFailures();
  for (const what of 'abcdef') failures.failed(what);
  expect(failures.isHopeless('new')).toBe(true);
  failures.passed('f');
  expect(failures.isHopeless('new')).toBe(false);
});
