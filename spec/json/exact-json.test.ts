import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalInteger,
  canonicalNumber,
  exactNumber,
  isInteger,
  isNumber,
  parseJson,
  placeOfSlip,
  stringifyJson,
} from './exact-json.ts';
import { isEqual } from './json-value.ts';

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

const FRACTIONS = [
  ...[
    '0.1',
    '-1.5',
    '1.0000000000000000001',
    '0.99999999999999999999',
    '1e-400',
    '-1e-400',
    '4503599627370497.3',
  ],
  ...['9007199254740991.5', '9007199254740993.5', '-12345678901234567.25', '9.0071992547409935e15'],
  ...['123456789012345678901234567890.5', `${'9'.repeat(300)}.5`, `0.${'123'.repeat(10_000)}`],
];

test.each(FRACTIONS)('a fraction is rounded as JSON.parse rounds it, case %#', (text) => {
  expect(parseJson(text)).toBe(JSON.parse(text) + 0);
  // After writing and reading, it is the same double.
  expect(Number(parseJson(stringifyJson(parseJson(text))))).toBe(JSON.parse(text) + 0);
});

test.each(['9007199254740992.5', '-12345678901234567.25', '123456789012345678901234567890.5'])(
  'beyond 2^53 a fraction is no integer, and equals what is written for it: %s',
  (text) => {
    const value = parseJson(text);
    expect([isNumber(value), isInteger(value)]).toEqual([true, false]);
    expect(isEqual({ at: [value] }, { at: [parseJson(stringifyJson(value))] })).toBe(true);
    expect(isEqual(value, parseJson('9007199254740997'))).toBe(false);
    expect(canonicalNumber(value as number)).toBe(parseJson(stringifyJson(value)));
  },
);

test('a fraction beyond every double keeps the digits of its integer', () => {
  expect(parseJson(`${'9'.repeat(400)}.5`)).toBe(10n ** 400n - 1n);
});

test.each(['1e401', '-1e999999999', '1.5e999', '9'.repeat(1_000_000)])(
  'a number that is too large is no null and no Infinity, case %#',
  (text) => {
    expect(exactNumber(text)).toBeUndefined();
    expect(() => parseJson(`{"at":[${text}]}`)).toThrow(`the number ${text.slice(0, 30)}`);
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

test.each([
  ['{"a":x}', 'column 6'],
  ['{"a":1,}', 'column 8'],
  ['{"a":', 'column 6'],
  ['{"a":1\n"b":2}', 'line 2, column 1'],
  ['{"long":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", nope}', 'column 43'],
])('the place where %j is no JSON', (text, want) => {
  const parse = () => parseJson(text);
  expect(parse).toThrow(expect.toSatisfy((error: Error) => placeOfSlip(text, error) === want));
});

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

test('10,000 digits are exact', () => {
  const long = '9'.repeat(10_000);
  expect(parseJson(long)).toBe(BigInt(long));
});
