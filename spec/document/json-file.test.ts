import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonFile } from './json-file.ts';
import type { ParsedText } from './parsed-text.ts';
import { readYamlFile } from './yaml-file.ts';

function* pathsIn(value: unknown, path: string[] = []): Generator<string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* pathsIn(member, [...path, key]);
}

/** The result of either reader: the value, and the offset of each part. */
function outcome(parsed: ParsedText | undefined) {
  if (!parsed) return undefined;
  return { value: parsed.value, offsets: [...pathsIn(parsed.value)].map((path) => parsed.offsetOf(path)) };
}

/** Excludes texts that only one of the languages allows: JSON escapes of lone surrogates, the merge key of YAML. */
const keys = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter((key) => key !== '<<' && key !== '__proto__');
const values = fc.jsonValue({ maxDepth: 3 }).filter((value) => typeof value === 'object' && value !== null);
const records = fc.dictionary(keys, values, { maxKeys: 5 });

test('JSON has the value and the offsets that it has as YAML', () => {
  fc.assert(
    fc.property(records, fc.constantFrom(0, 2), fc.constantFrom('', '\n \t'), (value, indent, before) => {
      const text = before + JSON.stringify(value, undefined, indent);
      const asYaml = readYamlFile('a.json', text);
      fc.pre(!('problems' in asYaml));
      expect(outcome(readJsonFile(text))).toEqual(outcome(asYaml as ParsedText));
    }),
  );
});

test.each([
  ['{"a": 9007199254740993, "b": 1.0, "c": -0}', { a: 9007199254740993n, b: 1, c: 0 }],
  ['[{"__proto__": 1}]', [JSON.parse('{"__proto__": 1}')]],
  ['{"a:b": ":", "\\"": {"\\\\": "\\\\\\""}}', { 'a:b': ':', '"': { '\\': '\\"' } }],
])('%s is read exactly', (text, want) => {
  const file = readJsonFile(text);
  expect(file?.value).toEqual(want);
  expect(Object.isFrozen(file?.value)).toBe(true);
});

test.each([
  ['a key twice', '{"a": 1, "a": 2}'],
  ['the end is missing', '{"a": 1'],
  ['YAML', '{a: 1}'],
  ['a text', '"a"'],
  ['too deep', '['.repeat(600) + ']'.repeat(600)],
])('what is no plain JSON is left to YAML: %s', (_, text) => {
  expect(readJsonFile(text)).toBeUndefined();
});

test('a path that leads nowhere ends where it was last found', () => {
  const file = readJsonFile('{"200": {"x": [1, 2]}, "a": 3}');
  expect(file?.offsetOf(['200', 'x', '1'])).toBe(18);
  expect(file?.offsetOf(['200', 'x', '1', 'more'])).toBe(18);
  expect(file?.offsetOf(['200', 'y'])).toBe(1);
});
