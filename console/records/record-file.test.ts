import { expect, test } from 'vitest';
import { exportText, readItems } from './record-file.ts';

test('each record of an array has the line on which it begins, and its integers are exact', () => {
  const text = '[\n  {"id": 9007199254740993,\n "tags": ["a", {"b": [1]}]},\n\n  {"name": "x, [y"},\n 7, 8]';
  expect(readItems(text)).toEqual({
    items: [
      { line: 2, value: { id: 9007199254740993n, tags: ['a', { b: [1] }] } },
      { line: 5, value: { name: 'x, [y' } },
      { line: 6, value: 7 },
      { line: 6, value: 8 },
    ],
  });
});

test('a line that is no JSON is named', () => {
  expect(readItems('{"a":1}\n\n{"a":\n{"a":2}')).toEqual({
    problems: [{ line: 3, message: expect.stringContaining('Invalid JSON at column 6') }],
  });
  expect(readItems('[\n1,\n}')).toEqual({
    problems: [{ line: 3, message: expect.stringContaining('Invalid JSON at line 3, column 1') }],
  });
  // Without "line 1", as there is only one line.
  expect(readItems('[{"a":1},]')).toEqual({
    problems: [{ line: 1, message: 'Invalid JSON at column 10: expected a value, not "]"' }],
  });
  expect(readItems(' \n')).toEqual({ problems: [{ line: 1, message: 'has no record' }] });
});

test.each(['json', 'jsonl'] as const)('what is exported as %s is read again', (form) => {
  const records = [{ id: 9007199254740993n }, { name: 'a\nb' }];
  const read = readItems(exportText(records, form));
  expect('items' in read && read.items.map(({ value }) => value)).toEqual(records);
});
