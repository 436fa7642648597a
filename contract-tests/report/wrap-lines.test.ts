import { styleText } from 'node:util';
import { expect, test } from 'vitest';
import { wrapLines } from './wrap-lines.ts';

const wrap = (line: string, columns = 40) => wrapLines([line], columns);

test.each<[name: string, line: string, want: readonly string[]]>([
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
  ],
  [
    'a number',
    '12. one two three four five six seven eight',
    ['12. one two three four five six seven', '    eight'],
  ],
  [
    'a word that is longer than the line',
    `see https://example.test/${'a'.repeat(50)} for more`,
    ['see', `   https://example.test/${'a'.repeat(50)}`, '   for more'],
  ],
  [
    'a command',
    `   reproduce   curl -i '${'x '.repeat(40)}'`,
    [`   reproduce   curl -i '${'x '.repeat(40)}'`],
  ],
  [
    'a line of a document',
    `               ${'key: value '.repeat(9)}end`,
    [`               ${'key: value '.repeat(9)}end`],
  ],
])('wraps at spaces: %s', (_, line, want) => {
  expect(wrap(line)).toEqual(want);
});

test('colours take no room, and a terminal that is too narrow wraps nothing', () => {
  const bold = styleText('bold', 'x'.repeat(38), { validateStream: false });
  expect(wrap(bold)).toEqual([bold]);
  expect(wrap('one two three four', 10)).toEqual(['one two three four']);
});
