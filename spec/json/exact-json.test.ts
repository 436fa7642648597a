import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalInteger,
  exactNumber,
  isInteger,
  isNumber,
  parseJson,
  stringifyJson,
} from './exact-json.ts';

const NUMBERS: [text: string, want: number | bigint][] = [
  ['0', 0],
  ['-0', 0],
  ['-0.0', 0],
  ['0e10', 0],
  ['0E-400', 0],
  ['2147483647', 2147483647],
  ['2147483648', 2147483648],
  ['-2147483649', -2147483649],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', 9223372036854775808n],
  ['-9223372036854775808', -9223372036854775808n],
  ['-9223372036854775809', -9223372036854775809n],
  ['1.0', 1],
  ['10e-1', 1],
  ['0.1e1', 1],
  ['1.5e1', 15],
  ['1E2', 100],
  ['9007199254740993.0', 9007199254740993n],
  ['9.007199254740993e15', 9007199254740993n],
  ['0.12345678901234567890e20', 12345678901234567890n],
  ['1e20', 100000000000000000000n],
  ['-1e20', -100000000000000000000n],
  ['1e400', 10n ** 400n],
  ['0.1', 0.1],
  ['-1.5', -1.5],
  ['1e-7', 1e-7],
  ['1e308', 10n ** 308n],
];

describe('a JSON number keeps its exact value', () => {
  test.each(NUMBERS)('%s', (text, want) => {
    expect(parseJson(text)).toBe(want);
    expect(parseJson(`{"at":[${text}]}`)).toEqual({ at: [want] });
    expect(exactNumber(text)).toBe(want);
  });
});

const FRACTIONS: [text: string, low: number, high: number][] = [
  ['1.0000000000000000001', 1, 1.000000000000001],
  ['0.99999999999999999999', 0.999999999999999, 1],
  ['-1.0000000000000000001', -1.000000000000001, -1],
  ['-2.9999999999999999999', -3, -2.999999999999999],
  ['4503599627370494.0000001', 4503599627370494, 4503599627370495],
  ['1e-400', 0, 1e-300],
  ['-1e-400', -1e-300, 0],
];

test.each(FRACTIONS)('the fraction %s stays a fraction between its neighbours', (text, low, high) => {
  const value = parseJson(text) as number;
  expect(isNumber(value)).toBe(true);
  expect(isInteger(value)).toBe(false);
  expect(value).toBeGreaterThan(low);
  expect(value).toBeLessThan(high);
});

test.each(['9007199254740992.5', '-9007199254740993.25', '1e401', '-1e999999999'])(
  '%s, which is not representable, is NaN',
  (text) => {
    expect(parseJson(text)).toBeNaN();
    expect(isNumber(parseJson(text))).toBe(false);
  },
);

test('digits in a string stay text', () => {
  const text = '{"a":"9007199254740993","b":"-0","c":"1e400 1.5","9007199254740993":1.5}';
  expect(parseJson(text)).toEqual({
    a: '9007199254740993',
    b: '-0',
    c: '1e400 1.5',
    '9007199254740993': 1.5,
  });
});

test.each(['{"__proto__":{"x":1}}', '{"__proto__":{"x":1.5},"n":9007199254740993}'])(
  'a member named __proto__ is data: %s',
  (text) => {
    const value = parseJson(text) as object;
    expect(Object.keys(value)).toContain('__proto__');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe(text);
  },
);

test.each(['', '{', '01', '1.', '.5', '+1', 'NaN', '[1,]', "{'a':1}", '\ufeff1', '1.5 2'])(
  'invalid JSON throws a SyntaxError: %s',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test.each([
  ['lists', '[', ']'],
  ['records', '{"a":', '}'],
])('nesting that would exhaust the stack throws a SyntaxError: %s', (_, open, close) => {
  const nested = (depth: number, leaf: string) => open.repeat(depth) + leaf + close.repeat(depth);
  for (const depth of [513, 200_000])
    for (const leaf of ['1', '1.5'])
      expect(() => parseJson(nested(depth, leaf))).toThrow('nested too deeply');
  const deepest = parseJson(nested(512, '1.5'));
  expect(parseJson(stringifyJson(deepest))).toEqual(deepest);
});

test.each([['['], ['{'], ['\\"['], ['\\\\'], ['é[']])(
  'brackets within a string do not count as nesting: %j',
  (piece) => {
    const text = `[["${piece.repeat(2000)}"],"${piece.repeat(2000)}"]`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(() => parseJson(text.slice(0, -2))).toThrow(SyntaxError);
  },
);

test('parsing reverses stringifying', () => {
  const number = fc.oneof(
    fc.bigInt(-(10n ** 40n), 10n ** 40n).map(canonicalInteger),
    fc.double({ noDefaultInfinity: true, noNaN: true }).filter((value) => !Number.isInteger(value)),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false),
      number,
      fc.string({ unit: 'binary' }),
      fc.array(tie('tree')),
      fc.dictionary(fc.string(), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 2), (value, indent) => {
      expect(stringifyJson(parseJson(stringifyJson(value, indent)))).toBe(stringifyJson(value));
    }),
  );
});

test('equal integers are identical in every notation', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 0, max: 20 }), (value, zeros) => {
      const plain = parseJson(String(value));
      expect(parseJson(`${value}.${'0'.repeat(zeros + 1)}`)).toBe(plain);
      if (value !== 0n) expect(parseJson(`${value}${'0'.repeat(zeros)}e-${zeros}`)).toBe(plain);
    }),
  );
});

test('10,000 digits are exact, a number that would take seconds is NaN', () => {
  const long = '9'.repeat(10_000);
  expect(parseJson(long)).toBe(BigInt(long));
  expect(parseJson('9'.repeat(1_000_000))).toBeNaN();
});
