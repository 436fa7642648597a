import { expect, test } from 'vitest';
import { DocumentError } from './source-file.ts';

const problem = { uri: 'a.yaml', line: 12, column: 3, message: 'what is wrong' };

test('the caret stands under the column, below the line of the document', () => {
  const { message } = new DocumentError([{ ...problem, source: '  type: strin' }]);
  expect(message).toBe(['a.yaml:12:3: what is wrong', '  12 |   type: strin', '         ^'].join('\n'));
});

test('tabs keep their width before the caret', () => {
  const { message } = new DocumentError([{ ...problem, source: '\t\ttype: x' }]);
  expect(message.split('\n').at(-1)).toBe('       \t\t^');
});

test('all problems are shown, each with its source position', () => {
  const { message } = new DocumentError([problem, { ...problem, line: 14, message: 'another' }]);
  expect(message).toBe('a.yaml:12:3: what is wrong\na.yaml:14:3: another');
});

test('a very long line is cut on both sides of the caret', () => {
  const source = `${'a'.repeat(100_000)}HERE${'b'.repeat(100_000)}`;
  const { message } = new DocumentError([{ ...problem, line: 1, column: 100_001, source }]);
  const [, shown = '', caret = ''] = message.split('\n');
  expect(message.length).toBeLessThan(500);
  expect(shown.slice(caret.indexOf('^'))).toMatch(/^HEREb+…$/);
  expect(shown).toMatch(/^ {2}1 \| …a+HERE/);
});

test('control characters do not reach the terminal', () => {
  const { message } = new DocumentError([{ ...problem, source: 'a\u001b[2J\u0000b' }]);
  expect(message.split('\n')[1]).toBe('  12 | a\ufffd[2J\ufffdb');
});
