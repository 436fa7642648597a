import { expect, test } from 'vitest';
import { driftingMembers, isAboutDrift } from './own-records.ts';

test.each<[string, readonly number[], boolean]>([
  ['an age', [1, 2, 4], true],
  ['a time that is left', [9, 8.5, 8.5, 7], true],
  ['two looks', [1, 2], false],
  ['one change', [1, 1, 2, 2], false],
  ['a value that comes back', [1, 2, 1], false],
])('%s', (_, values, isDrift) => {
  const looks = values.map((age) => ({ age, name: 'Ann', size: 3 }));
  expect(driftingMembers(looks)).toEqual(isDrift ? ['age'] : []);
});

test('only a value that must be as another one was is about drift', () => {
  const drifting = new Set(['age', 'a/b']);
  expect(isAboutDrift({ law: 'neighbours-untouched', part: '/age' }, drifting)).toBe(true);
  expect(isAboutDrift({ law: 'neighbours-untouched', part: '/a~1b' }, drifting)).toBe(true);
  expect(isAboutDrift({ law: 'neighbours-untouched', part: '/name' }, drifting)).toBe(false);
  expect(isAboutDrift({ law: 'schema', part: '/age' }, drifting)).toBe(false);
});
