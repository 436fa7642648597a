import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSample } from '../schema/sample.ts';
import { documentOf, problemsOf, schemaInUse } from '../testing/contract-of.ts';
import { compileAutomaton, runAutomaton } from './automaton.ts';
import { compilePattern, parseExpression, safeLength } from './pattern.ts';

/** Tests with the automaton even if the text is short. */
function automatonTest(source: string, flags: string, text: string): boolean {
  const expression = new RegExp(source, flags);
  const automaton = compileAutomaton(parseExpression(expression), expression.unicode);
  if (typeof automaton === 'string') throw new Error(automaton);
  const units = expression.unicode
    ? [...text].map((character) => character.codePointAt(0) as number)
    : [...Array(text.length)].map((_, at) => text.charCodeAt(at));
  return runAutomaton(automaton, Uint32Array.from(units));
}

const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'ba',
  'aab',
  'abab',
  'a-b',
  'a1',
  '12',
  ' ',
  'a\nb',
  'é',
  '😀',
  '\ud83d',
  'ſK',
];

describe('the automaton agrees with V8', () => {
  test.each<[string, string]>([
    ['^(?:a|b)+$', 'u'],
    ['^(?:a*)*$', 'u'],
    ['^(?:a?){3}b', 'u'],
    ['^(?:|a){2,3}$', 'u'],
    ['a{2}|b{0}$', 'u'],
    ['\\bb', 'u'],
    ['a\\Bb', ''],
    ['^(?=.*b)(?!.*-)a', 'u'],
    ['(?<=a(?=-))-', 'u'],
    ['(?<!a)b', 'u'],
    ['(?=(?<=a)b)', 'u'],
    ['^.$', 'u'],
    ['^.$', ''],
    ['^..$', ''],
    ['^[^\\w\\s]+$', 'u'],
    ['^\\p{Letter}+$', 'u'],
    ['[\\w-.]', ''],
    ['\\u{1F600}', 'u'],
    ['^\\ud83d$', 'u'],
    ['^\\ud83d', ''],
    ['a.b', 'u'],
    ['a[\\s\\S]b', 'u'],
    ['^$', 'u'],
    ['(?<name>a)b', 'u'],
    ['\\x61|\\cJ|\\0', 'u'],
    ['x*', 'u'],
    ['(?!)', 'u'],
    ['[]', 'u'],
    ['[^]', 'u'],
  ])('%s with the flags "%s"', (source, flags) => {
    const expression = new RegExp(source, flags);
    expect(TEXTS.map((text) => [text, automatonTest(source, flags, text)])).toEqual(
      TEXTS.map((text) => [text, expression.test(text)]),
    );
  });

  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '\\B', '^', '$', '-', '\\s');
  const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atom,
      fc
        .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?', '{0,2}?'))
        .map(([inner, times]) => `(?:${inner})${times}`),
      fc
        .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!', '(', '(?:'), tie('expression'))
        .map(([open, inner]) => `${open}${inner})`),
    ),
    expression: fc
      .array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
      .map((choices) => choices.map((parts) => parts.join('')).join('|')),
  }));

  test('for any expression and any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '-', ' ', '\n', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(expression, fc.constantFrom('', 'u'), texts, (source, flags, text) => {
        // With the flag, V8 also finds empty matches inside a surrogate pair, contrary to ECMA-262.
        fc.pre(flags === '' || !text.includes('😀'));
        fc.pre(safeLength(parseExpression(new RegExp(source, flags))) >= 2);
        expect(automatonTest(source, flags, text)).toBe(new RegExp(source, flags).test(text));
      }),
      { numRuns: 4000, seed: 5 },
    );
  });
});

test('schemas test with the automaton, too, where V8 alone would never end', async () => {
  const { validate } = await schemaInUse({
    type: 'object',
    properties: { a: { pattern: '^(a+)+$' } },
    patternProperties: { '^(x+)+$': { type: 'integer' } },
  });
  expect(validate({ a: `${'a'.repeat(60)}!`, [`${'x'.repeat(60)}!`]: 'y' })).toHaveLength(1);
  expect(validate({ a: 'aaa', [`${'x'.repeat(60)}`]: 'y' })).toHaveLength(1);
});

test.each([
  ['^[a-z0-9]+$', 100_000],
  ['^L[0-9]{6}$', 100_000],
  ['^\\+[1-9][0-9]{6,14}$', 100_000],
  ['^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 100_000],
  ['^[\\w+=,.@-]{1,2048}$', 2048],
  ['[a-z]+@[a-z]+', 80],
])('V8 tests long texts of an ordinary expression: %s', (source, length) => {
  expect(safeLength(parseExpression(new RegExp(source, 'u')))).toBeGreaterThanOrEqual(length);
});

test('back references work in texts up to the safe length', () => {
  const { test: matches, canTest } = compilePattern('^(["\']).*\\1$');
  expect(matches('"a"')).toBe(true);
  expect(matches('"a\'')).toBe(false);
  expect(canTest(500)).toBe(true);
  expect(canTest(100_000)).toBe(false);
  expect(matches(`"${'a'.repeat(100_000)}"`)).toBe(false);
});

test.each(['^(a+)+\\1$', '^(?:(a|b)*\\1)*$', '^(?:(?:a{1,300}){1,300}){1,300}$'])(
  'an expression that cannot be tested in time is ignored with its position and a remedy: %s',
  async (pattern) => {
    const problems = async (schema: object) => {
      const content = { 'application/json': { schema } };
      const document = documentOf({ '/a': { get: { responses: { 200: { description: '', content } } } } });
      return problemsOf({ 'a.json': JSON.stringify(document, undefined, 1) });
    };
    expect(await problems({ pattern })).toMatchObject([
      {
        line: 16,
        message: expect.stringMatching(/^"pattern" could take forever: .*maxLength; it is ignored$/),
      },
    ]);
    expect(await problems({ patternProperties: { [pattern]: {} } })).toMatchObject([
      { line: 17, message: expect.stringMatching(/^a name in "patternProperties" could take forever/) },
    ]);
  },
);

test('no string of a hundred million characters is generated', async () => {
  const { shape } = await schemaInUse({ pattern: '^(?:(?:a{1000}){1000}){100}$' });
  expect(findSample(shape, { key: 'a' })).toBeUndefined();
});
