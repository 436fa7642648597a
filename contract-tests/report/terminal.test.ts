import { styleText } from 'node:util';
import { expect, test } from 'vitest';
import { wrap } from './terminal.ts';

test.each<[name: string, line: string, want: readonly string[], indent?: number]>([
  ['what fits', 'a short line', ['a short line']],
  [
    'words',
    'one two three four five six seven eight nine ten',
    ['one two three four five six seven eight', '   nine ten'],
  ],
  [
    'a labelled line, below its text',
    '   received    one two three four five six seven',
    ['   received    one two three four five', '               six seven'],
    15,
  ],
  [
    'a number',
    '12. one two three four five six seven eight',
    ['12. one two three four five six seven', '    eight'],
    4,
  ],
  [
    'a word that is longer than the line',
    `see https://example.test/${'a'.repeat(50)} for more`,
    ['see', `   https://example.test/${'a'.repeat(50)}`, '   for more'],
  ],
])('wraps at spaces: %s', (_, line, want, indent) => {
  expect(wrap(line, 40, indent)).toEqual(want);
});

test('colours take no room, and a terminal that is too narrow wraps nothing', () => {
  const bold = styleText('bold', 'x'.repeat(38), { validateStream: false });
  expect(wrap(bold, 40)).toEqual([bold]);
  expect(wrap('one two three four', 10)).toEqual(['one two three four']);
});
