import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Parameter } from './parameter.ts';
import {
  compileDecoder,
  decodeParameter,
  encodeParameter,
  queryPairs,
  queryTexts,
} from './parameter-value.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

async function parameterOf(parameter: object): Promise<Parameter> {
  const described = { name: 'p', in: 'query', ...parameter };
  const get = { parameters: [described], responses: { 200: { description: 'Done' } } };
  const contract = await contractOf({ 'a.json': documentOf({ '/a': { get } }) });
  return contract.operations[0]?.parameters[0] as Parameter;
}

const LIST = { type: 'array', items: { type: 'integer' } };
const RECORD = { type: 'object', properties: { R: { type: 'integer' }, s: { type: 'string' } } };
const IN_PATH = { in: 'path', required: true };
const VALUES = { one: 7, list: [3, 4, 5], record: { R: 100, s: 'x' } };

/** Texts as OpenAPI's table of styles has them, and RFC 6570 behind it. */
const STYLES: [parameter: object, kind: keyof typeof VALUES, texts: string[]][] = [
  [{}, 'one', ['7']],
  [{}, 'list', ['3', '4', '5']],
  [{ explode: false }, 'list', ['3,4,5']],
  [{ explode: false }, 'record', ['R,100,s,x']],
  [{ style: 'spaceDelimited', explode: false }, 'list', ['3 4 5']],
  [{ style: 'spaceDelimited' }, 'list', ['3 4 5']],
  [{ style: 'spaceDelimited', explode: true }, 'list', ['3', '4', '5']],
  [{ style: 'pipeDelimited' }, 'list', ['3|4|5']],
  [{ style: 'pipeDelimited' }, 'record', ['R|100|s|x']],
  [{ ...IN_PATH }, 'one', ['7']],
  [{ ...IN_PATH }, 'list', ['3,4,5']],
  [{ ...IN_PATH, explode: true }, 'list', ['3,4,5']],
  [{ ...IN_PATH }, 'record', ['R,100,s,x']],
  [{ ...IN_PATH, explode: true }, 'record', ['R=100,s=x']],
  [{ ...IN_PATH, style: 'label' }, 'one', ['.7']],
  [{ ...IN_PATH, style: 'label' }, 'list', ['.3,4,5']],
  [{ ...IN_PATH, style: 'label', explode: true }, 'list', ['.3.4.5']],
  [{ ...IN_PATH, style: 'label', explode: true }, 'record', ['.R=100.s=x']],
  [{ ...IN_PATH, style: 'matrix' }, 'one', [';p=7']],
  [{ ...IN_PATH, style: 'matrix', explode: true }, 'one', [';p=7']],
  [{ ...IN_PATH, style: 'matrix' }, 'list', [';p=3,4,5']],
  [{ ...IN_PATH, style: 'matrix', explode: true }, 'list', [';p=3;p=4;p=5']],
  [{ ...IN_PATH, style: 'matrix' }, 'record', [';p=R,100,s,x']],
  [{ ...IN_PATH, style: 'matrix', explode: true }, 'record', [';R=100;s=x']],
  [{ in: 'header' }, 'list', ['3,4,5']],
  [{ in: 'header', explode: true }, 'record', ['R=100,s=x']],
  [{ in: 'cookie', explode: false }, 'list', ['3,4,5']],
];

const SCHEMAS = { one: { type: 'integer' }, list: LIST, record: RECORD };

/** By both ways, which must agree. */
function decode(parameter: Parameter, texts: readonly string[]): unknown {
  const value = decodeParameter(parameter, texts);
  expect(compileDecoder(parameter)(texts)).toEqual(value);
  return value;
}

describe('a value in a parameter of each style', () => {
  test.each(STYLES)('%j %s', async (style, kind, texts) => {
    const parameter = await parameterOf({ ...style, schema: SCHEMAS[kind] });
    expect(encodeParameter(parameter, VALUES[kind])).toEqual(texts);
    expect(decode(parameter, texts)).toEqual(VALUES[kind]);
  });
});

const QUERIES: [parameter: object, value: unknown, query: string][] = [
  [{ schema: LIST }, [3, 4], 'p=3&p=4'],
  [{ schema: RECORD }, { R: 1, s: 'a=b' }, 'R=1&s=a%3Db'],
  [{ schema: RECORD, style: 'deepObject' }, { R: 1, s: 'x' }, 'p%5BR%5D=1&p%5Bs%5D=x'],
  [{ content: { 'application/json': { schema: RECORD } } }, { R: 1 }, 'p=%7B%22R%22%3A1%7D'],
];

describe('a value in a query', () => {
  test.each(QUERIES)('%j', async (described, value, query) => {
    const parameter = await parameterOf(described);
    expect(new URLSearchParams(queryPairs(parameter, value)).toString()).toBe(query);
    const others = new URLSearchParams(`other=1&p2=3&${query}&q[R]=5`);
    expect(decode(parameter, queryTexts(parameter, others))).toEqual(value);
  });
});

const TEXTS: [schema: object, text: string, want: unknown][] = [
  [{ type: 'integer' }, '-1', -1],
  [{ type: 'integer' }, '+1', '+1'],
  [{ type: 'integer' }, '01', '01'],
  [{ type: 'integer' }, '1.0', '1.0'],
  [{ type: 'integer' }, '1e3', '1e3'],
  [{ type: 'integer' }, ' 1', ' 1'],
  [{ type: 'integer' }, '', ''],
  [{ type: 'integer' }, '0x10', '0x10'],
  [{ type: 'integer' }, '١', '١'],
  [{ type: 'number' }, '1.50', 1.5],
  [{ type: 'number' }, '1e3', 1000],
  [{ type: 'number' }, 'Infinity', 'Infinity'],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'boolean' }, 'True', 'True'],
  [{ type: 'string' }, '1', '1'],
  [{ type: 'string' }, 'null', 'null'],
  [{ type: ['integer', 'null'] }, 'null', null],
  [{ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'false', false],
  [{ enum: [1, 'a', null] }, '1', 1],
  [{ const: 'a' }, 'a', 'a'],
  [{}, '1', '1'],
];

test.each(TEXTS)('decoding by the schema %j the text %j', async (schema, text, want) => {
  expect(decode(await parameterOf({ schema }), [text])).toBe(want);
});

test('an integer is decoded exactly', async () => {
  const parameter = await parameterOf({ schema: { type: 'integer' } });
  expect(decode(parameter, ['9007199254740993'])).toBe(9007199254740993n);
  expect(encodeParameter(parameter, 9007199254740993n)).toEqual(['9007199254740993']);
});

test('decoding reverses encoding in every style', async () => {
  const text = fc.stringMatching(/^[\w~-]{1,8}$/).filter((each) => each !== 'null');
  const value = {
    one: fc.maxSafeInteger(),
    list: fc.array(fc.maxSafeInteger(), { minLength: 1 }),
    record: fc.record({ R: fc.maxSafeInteger(), s: text }, { requiredKeys: ['R'] }),
  };
  const styles = await Promise.all(
    STYLES.map(async ([style, kind]) => ({
      kind,
      parameter: await parameterOf({ ...style, schema: SCHEMAS[kind] }),
    })),
  );
  const any = fc
    .constantFrom(...styles)
    .chain(({ kind, parameter }) => fc.record({ parameter: fc.constant(parameter), given: value[kind] }));
  fc.assert(
    fc.property(any, ({ parameter, given }) => {
      expect(decode(parameter, encodeParameter(parameter, given))).toEqual(given);
    }),
  );
});
