import { expect, test } from 'vitest';
import { memoizeText } from './memoize.ts';

test('a text is computed once, a long one or one of too many each time', () => {
  const computed: string[] = [];
  const lengthOf = memoizeText(
    (text) => {
      computed.push(text);
      return { length: text.length };
    },
    { most: 2, longest: 3 },
  );
  for (const text of ['a', 'a', 'long', 'long', 'b', 'c', 'a'])
    expect(lengthOf(text).length).toBe(text.length);
  expect(computed).toEqual(['a', 'long', 'long', 'b', 'c', 'a']);
});

test('false is remembered, too', () => {
  let times = 0;
  const isSecret = memoizeText(() => {
    times += 1;
    return false;
  });
  expect([isSecret('x'), isSecret('x'), times]).toEqual([false, false, 1]);
});
