import { expect, test } from 'vitest';
import { readSourceFile } from './source-file.ts';

const under = (indent: string) => ['a:', '  b:', '    d: "one', `${indent}two"`, '    e: 1', ''].join('\n');

test.for(['', '  ', '    '])('a quoted text goes on in a line that begins with "%s"', (indent) => {
  const file = readSourceFile('x.yaml', under(indent));
  expect(file.value).toEqual({ a: { b: { d: 'one two', e: 1 } } });
  expect(file.warnings).toMatchObject([{ uri: 'x.yaml', line: 3, column: 8, source: '    d: "one' }]);
  // Positions refer to the original text.
  expect(file.positionOf(['a', 'b', 'e'])).toEqual({ uri: 'x.yaml', line: 5, column: 5 });
});

test('several of them, with blank lines, escapes and comments, in lists and flow maps', () => {
  const text = [
    "a: ['one",
    '',
    "two', 3]",
    'b:',
    "  c: 'it''s",
    "  here' # so",
    '  d: "say \\"',
    '  yes\\"',
    '  \\',
    '  no"',
    '  e: {f: "1',
    '2", g: 3}',
    'h: 4',
  ].join('\n');
  const { value, warnings, positionOf } = readSourceFile('x.yaml', text);
  expect(value).toEqual({
    a: ['one\ntwo', 3],
    b: { c: "it's here", d: 'say " yes" no', e: { f: '1 2', g: 3 } },
    h: 4,
  });
  expect(warnings.map(({ line, column }) => [line, column])).toEqual([
    [1, 5],
    [5, 6],
    [7, 6],
    [11, 10],
  ]);
  expect(positionOf(['b', 'e', 'g'])).toEqual({ uri: 'x.yaml', line: 12, column: 5 });
  expect(positionOf(['h'])).toMatchObject({ line: 13, column: 1 });
});

test('numbers are those of JSON, and what is none of them is text', () => {
  const text =
    'a: [1e20, 5.0, +1.5, .5, 5., -.5e1, +9007199254740993.0, 9007199254740993.5, .inf, -.inf, .nan, 1e999]';
  const numbers = [10n ** 20n, 5, 1.5, 0.5, 5, -5, 9007199254740993n, JSON.parse('9007199254740993.5')];
  expect(readSourceFile('x.yaml', text).value).toEqual({ a: [...numbers, '.inf', '-.inf', '.nan', '1e999'] });
  expect(readSourceFile('x.json', '{"a":1e999}').value).toEqual({ a: '1e999' });
});

test('a text that is indented enough is read without a warning', () => {
  expect(readSourceFile('x.yaml', under('      '))).toMatchObject({ warnings: [] });
});

test.for<[string, string]>([
  ['no quote at its end', 'a:\n  d: "one\n  two\n  e: 1\n'],
  ['only the quote of a later text', 'a:\n  d: "one\n  two\n  e: 1\n  f: "x"\n'],
  ['more than the indentation wrong', 'a:\n  d: "one\n  two"\n  e: [\n'],
])('what has %s is refused', ([, text]) => {
  expect(() => readSourceFile('x.yaml', text)).toThrow(/x\.yaml:\d+:\d+/);
});

test('keys are texts as they are written, whatever their values would be', () => {
  const keys = ['200', '01', '1.0', '2.10', '.5', '0x1F', '1e3', '1_000', 'null', '~', 'true', '2020-01-01'];
  const text = [
    ...keys.map((key) => `${key}: 1`),
    'a: &a {010: 2}',
    'b: {<<: *a, ? &k 1.50 : 3}',
    'c: {*k : 4}',
  ];
  const { value, positionOf } = readSourceFile('x.yaml', text.join('\n'));
  expect(value).toEqual({
    ...Object.fromEntries(keys.map((key) => [key, 1])),
    ...{ a: { '010': 2 }, b: { '010': 2, '1.50': 3 }, c: { '1.50': 4 } },
  });
  expect(positionOf(['0x1F'])).toMatchObject({ line: 6, column: 1 });
  const twice = readSourceFile('x.yaml', '200: 1\n"200": 2\n');
  expect(twice.value).toEqual({ 200: 2 });
  expect(twice.positionOf(['200'])).toMatchObject({ line: 2 });
  const message = 'the key "200" stands twice in one object: only the last one counts';
  expect(twice.warnings).toMatchObject([{ line: 2, column: 1, message }]);
  expect(() => readSourceFile('x.yaml', '200: 1\n"200": 2\n', true)).toThrow(`x.yaml:2:1: ${message}`);
});
