import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/exact-json.ts';
import { schemaInUse } from '../testing/contract-of.ts';
import { invalidValues } from './invalid-values.ts';
import { isMultipleOf } from './numeric-keywords.ts';

/** Schemas and values as JSON text, because TypeScript's number literals are already inexact. */
const CASES: [schema: string, fits: string[], breaks: string[]][] = [
  [
    '{"type":"integer"}',
    ['0', '1.0', '9007199254740993', '1e20', '-1e20'],
    ['1.5', '9007199254740993.5', '"1"'],
  ],
  ['{"type":"number"}', ['0', '1.5', '9007199254740993', '1e20', '9007199254740993.5'], ['"1"', 'null']],
  ['{"type":["integer","string"]}', ['9007199254740993', '"x"'], ['1.5', 'null', '[]']],
  [
    '{"format":"int64"}',
    ['9223372036854775807', '-9223372036854775808', '"any text"', 'null'],
    ['9223372036854775808', '-9223372036854775809', '1e19', '1.5'],
  ],
  [
    '{"format":"int32"}',
    ['2147483647', '-2147483648', '"x"'],
    ['2147483648', '-2147483649', '9007199254740993'],
  ],
  ['{"maximum":9007199254740992}', ['9007199254740992', '"x"'], ['9007199254740993', '9007199254740993.5']],
  ['{"minimum":9007199254740993}', ['9007199254740993', '9007199254740994'], ['9007199254740992', '1.5']],
  ['{"exclusiveMaximum":9223372036854775807}', ['9223372036854775806'], ['9223372036854775807']],
  ['{"exclusiveMinimum":1}', ['1.000000000000001', '2'], ['1', '1.0', '0.99999999999999999999']],
  ['{"maximum":1e20}', ['1e20', '99999999999999999999'], ['100000000000000000001']],
  ['{"multipleOf":0.01}', ['0.07', '1.1', '19.99', '9007199254740993'], ['0.075', '0.001']],
  ['{"multipleOf":0.3}', ['9007199254740993.3'], ['0.5', '9007199254740993.0001e-15']],
  ['{"multipleOf":3}', ['9007199254740993', '-9', '0'], ['9007199254740994', '1.5']],
  ['{"multipleOf":1e-300}', ['1', '5e-300'], ['5e-301']],
  ['{"enum":[9007199254740993,1]}', ['9007199254740993', '1.0'], ['9007199254740992', '"9007199254740993"']],
  ['{"enum":[1e20]}', ['1e20', '100000000000000000000'], ['100000000000000000001']],
  ['{"const":[{"id":9007199254740993}]}', ['[{"id":9007199254740993}]'], ['[{"id":9007199254740992}]', '[]']],
  ['{"const":{"a":1,"b":2}}', ['{"b":2,"a":1}'], ['{"a":1}', '{"a":1,"b":2,"c":3}', '[1,2]']],
  ['{"uniqueItems":true}', ['[9007199254740992,9007199254740993]'], ['[9007199254740993,9007199254740993]']],
];

describe('numbers are validated exactly', () => {
  test.each(CASES)('%s', async (schema, fits, breaks) => {
    const { validate } = await schemaInUse(parseJson(schema));
    expect(fits.filter((text) => validate(parseJson(text)).length > 0)).toEqual([]);
    expect(breaks.filter((text) => validate(parseJson(text)).length === 0)).toEqual([]);
  });
});

test.each([
  ['number', { minimum: 1e17, maximum: 1e17 }, true],
  ['number', { minimum: -(2 ** 60), maximum: -(2 ** 60) }, true],
  ['integer', { minimum: 2 ** 60, maximum: 2 ** 60 }, false],
])('what is sent as beyond a bound of a %s, %o, is another double: %s', async (type, bounds, isOther) => {
  const { shape } = await schemaInUse({ type, ...bounds });
  const beyond = invalidValues(shape, bounds.minimum).filter(({ keyword }) => keyword in bounds);
  expect(beyond.map(({ value }) => Number(value) !== bounds.minimum)).toEqual([isOther, isOther]);
});

test('a product is a multiple of both factors, and its neighbour is not', () => {
  const cents = fc.integer({ min: 2, max: 10_000 });
  fc.assert(
    fc.property(cents, fc.bigInt(-(10n ** 20n), 10n ** 20n), (factor, times) => {
      const step = Number(`${factor}e-2`);
      expect(isMultipleOf(Number(`${Number(times % 1000n) * factor}e-2`), step)).toBe(true);
      expect(isMultipleOf(times * BigInt(factor), factor)).toBe(true);
      expect(isMultipleOf(times * BigInt(factor) + 1n, factor)).toBe(false);
    }),
  );
});
