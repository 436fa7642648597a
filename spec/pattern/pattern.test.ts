import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '../schema/sample.ts';
import { documentOf, problemsOf, schemaInUse } from '../testing/contract-of.ts';
import { compileProgram } from './automaton.ts';
import { parseExpression } from './parse.ts';
import { compilePattern } from './pattern.ts';
import { walk } from './run-automaton.ts';
import { safeLength } from './safe-length.ts';

/** Asks the automaton, however short the text is. */
function walked(source: string, flags: string, text: string): boolean {
  const expression = new RegExp(source, flags);
  const program = compileProgram(parseExpression(expression), expression.unicode);
  if (typeof program === 'string') throw new Error(program);
  const units = expression.unicode
    ? [...text].map((character) => character.codePointAt(0) as number)
    : [...Array(text.length)].map((_, at) => text.charCodeAt(at));
  return walk(program, Uint32Array.from(units));
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

describe('an automaton says what V8 says', () => {
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
    expect(TEXTS.map((text) => [text, walked(source, flags, text)])).toEqual(
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

  test('of any expression and any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '-', ' ', '\n', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(expression, fc.constantFrom('', 'u'), texts, (source, flags, text) => {
        // With the flag, V8 also looks for nothing in the middle of a character, which ECMA-262 does not.
        fc.pre(flags === '' || !text.includes('😀'));
        fc.pre(safeLength(parseExpression(new RegExp(source, flags))) >= 2);
        expect(walked(source, flags, text)).toBe(new RegExp(source, flags).test(text));
      }),
      { numRuns: 4000, seed: 5 },
    );
  });
});

describe('what is catastrophic for a backtracking engine ends', () => {
  const long = 'a'.repeat(200_000);

  test.each<[string, string, boolean]>([
    ['^(a+)+$', `${long}!`, false],
    ['^(a+)+$', long, true],
    ['^(a|a)*$', `${long}!`, false],
    ['^(a|aa)+$', `${long}!`, false],
    ['^([a-zA-Z]+)*$', `${long}!`, false],
    ['^(.*?,){11}P', '1,'.repeat(50_000), false],
    ['\\s+$', `${' '.repeat(200_000)}!`, false],
    ['^a*a*a*a*a*b$', long, false],
    ['^(?=(a+)+$)', `${long}!`, false],
    ['(?<=^(a+)+)b', `${long}b`, true],
    ['^[a-z]+(?:-[a-z]+)*$', 'a-'.repeat(100_000), false],
  ])('%s', (source, text, want) => {
    const begun = performance.now();
    expect(compilePattern(source).test(text)).toBe(want);
    // V8 alone would need from minutes to for ever.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('in a schema, too', async () => {
    const { validate } = await schemaInUse({
      type: 'object',
      properties: { a: { pattern: '^(a+)+$' } },
      patternProperties: { '^(x+)+$': { type: 'integer' } },
    });
    expect(validate({ a: `${'a'.repeat(60)}!`, [`${'x'.repeat(60)}!`]: 'y' })).toHaveLength(1);
    expect(validate({ a: 'aaa', [`${'x'.repeat(60)}`]: 'y' })).toHaveLength(1);
  });
});

test.each([
  ['^[a-z0-9]+$', 100_000],
  ['^L[0-9]{6}$', 100_000],
  ['^\\+[1-9][0-9]{6,14}$', 100_000],
  ['^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 100_000],
  ['^[\\w+=,.@-]{1,2048}$', 2048],
  ['[a-z]+@[a-z]+', 80],
])('an ordinary expression is left to V8: %s', (source, length) => {
  expect(safeLength(parseExpression(new RegExp(source, 'u')))).toBeGreaterThanOrEqual(length);
});

test('texts up to that length are judged as ECMA-262 says, with references to groups, too', () => {
  const { test: matches, canJudge } = compilePattern('^(["\']).*\\1$');
  expect(matches('"a"')).toBe(true);
  expect(matches('"a\'')).toBe(false);
  expect(canJudge(500)).toBe(true);
  expect(canJudge(100_000)).toBe(false);
  expect(matches(`"${'a'.repeat(100_000)}"`)).toBe(false);
});

test.each(['^(a+)+\\1$', '^(?:(a|b)*\\1)*$', '^(?:(?:a{1,300}){1,300}){1,300}$'])(
  'what no engine can run in bounds is refused with its place and a remedy: %s',
  async (pattern) => {
    const problems = async (schema: object) => {
      const content = { 'application/json': { schema } };
      const document = documentOf({ '/a': { get: { responses: { 200: { description: '', content } } } } });
      return problemsOf({ 'a.json': JSON.stringify(document, undefined, 1) });
    };
    expect(await problems({ pattern })).toMatchObject([
      { line: 16, message: expect.stringMatching(/^"pattern" could take forever: .*maxLength$/) },
    ]);
    expect(await problems({ patternProperties: { [pattern]: {} } })).toMatchObject([
      { line: 17, message: expect.stringMatching(/^a name in "patternProperties" could take forever/) },
    ]);
  },
);

test('no text of a hundred million characters is made', async () => {
  const { shape } = await schemaInUse({ pattern: '^(?:(?:a{1000}){1000}){100}$' });
  expect(() => sample(shape, { key: 'a' })).toThrow('no value can be made for the pattern');
});
