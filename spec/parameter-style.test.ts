import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeParameter } from './decode-parameter.ts';
import type { Parameter } from './parameter.ts';
import { encodeParameter, queryOf, queryPairs, queryTexts } from './parameter-style.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

async function parameterOf(parameter: object): Promise<Parameter> {
  const described = { name: 'p', in: 'query', ...parameter };
  const get = { parameters: [described], responses: { 200: { description: 'Done' } } };
  const contract = await contractOf({
    'a.json': documentOf({ [described.in === 'path' ? '/a/{p}' : '/a']: { get } }),
  });
  return contract.operations[0]?.parameters[0] as Parameter;
}

const LIST = { type: 'array', items: { type: 'integer' } };
const RECORD = { type: 'object', properties: { R: { type: 'integer' }, s: { type: 'string' } } };
/** In a query, its members would be parameters of their own. */
const OPEN = { ...RECORD, additionalProperties: true };
const IN_PATH = { in: 'path', required: true };
const VALUES = {
  one: 7,
  list: [3, 4, 5],
  record: { R: 100, s: 'x' },
  texts: ['a,b', 'c d|e', 'f.g;h=i', '100%', 'ä'],
  pair: { s: 'a=b,c', 'x.y': '&' },
};
/** The texts above, percent-encoded by RFC 3986. */
const [AB, CDE, FGHI, ALL, AE] = ['a%2Cb', 'c%20d%7Ce', 'f.g%3Bh%3Di', '100%25', '%C3%A4'];

/** The texts from OpenAPI's table of styles, and RFC 6570, which it is based on. */
const STYLES: [parameter: object, kind: keyof typeof VALUES, texts: string[]][] = [
  [{}, 'one', ['7']],
  [{}, 'list', ['3', '4', '5']],
  [{ explode: false }, 'list', ['3,4,5']],
  [{ explode: false }, 'record', ['R,100,s,x']],
  [{ style: 'spaceDelimited', explode: false }, 'list', ['3%204%205']],
  [{ style: 'spaceDelimited' }, 'list', ['3%204%205']],
  [{ style: 'spaceDelimited', explode: true }, 'list', ['3', '4', '5']],
  [{ style: 'pipeDelimited' }, 'list', ['3%7C4%7C5']],
  [{ style: 'pipeDelimited' }, 'record', ['R%7C100%7Cs%7Cx']],
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
  [{}, 'texts', [AB, CDE, FGHI, ALL, AE]],
  [{ explode: false }, 'texts', [`${AB},${CDE},${FGHI},${ALL},${AE}`]],
  [{ ...IN_PATH }, 'texts', [`${AB},${CDE},${FGHI},${ALL},${AE}`]],
  [{ ...IN_PATH, style: 'label' }, 'texts', [`.${AB},${CDE},${FGHI},${ALL},${AE}`]],
  [{ ...IN_PATH, style: 'matrix', explode: true }, 'texts', [`;p=${AB};p=${CDE};p=${FGHI};p=${ALL};p=${AE}`]],
  [{ in: 'cookie', explode: false }, 'texts', [`${AB},${CDE},${FGHI},${ALL},${AE}`]],
  [{ explode: false }, 'pair', ['s,a%3Db%2Cc,x.y,%26']],
  [{ ...IN_PATH, explode: true }, 'pair', ['s=a%3Db%2Cc,x.y=%26']],
  [{ ...IN_PATH, style: 'matrix', explode: true }, 'pair', [';s=a%3Db%2Cc;x.y=%26']],
];

const SCHEMAS = {
  one: { type: 'integer' },
  list: LIST,
  record: RECORD,
  texts: { type: 'array', items: { type: 'string' } },
  pair: { type: 'object', properties: { s: { type: 'string' }, 'x.y': { type: 'string' } } },
};

describe('a value in a parameter of each style', () => {
  test.each(STYLES)('%j %s', async (style, kind, texts) => {
    const parameter = await parameterOf({ ...style, schema: SCHEMAS[kind] });
    expect(encodeParameter(parameter, VALUES[kind])).toEqual(texts);
    expect(decodeParameter(parameter, texts)).toEqual(VALUES[kind]);
  });
});

const DEEP = { style: 'deepObject', schema: RECORD };
const NESTED = {
  style: 'deepObject',
  schema: {
    type: 'object',
    properties: { tags: { type: 'array', items: { type: 'integer' } }, range: RECORD },
    additionalProperties: { type: 'boolean' },
  },
};
const MIXED = { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] };
const RANGE = { style: 'deepObject', schema: { anyOf: [RECORD, { type: 'integer' }] } };

const QUERIES: [parameter: object, value: unknown, query: string][] = [
  [{ schema: LIST }, [3, 4], 'p=3&p=4'],
  [{ schema: OPEN }, { R: 1, s: 'a=b' }, 'R=1&s=a%3Db'],
  [DEEP, { R: 1, s: 'x' }, 'p%5BR%5D=1&p%5Bs%5D=x'],
  [
    NESTED,
    { tags: [1, 2], range: { R: 3 }, more: true },
    'p%5Btags%5D=1&p%5Btags%5D=2&p%5Brange%5D%5BR%5D=3&p%5Bmore%5D=true',
  ],
  [RANGE, { R: 1 }, 'p%5BR%5D=1'],
  [RANGE, 7, 'p=7'],
  [{ schema: MIXED }, 5, 'p=5'],
  [{ schema: MIXED }, ['x'], 'p=x'],
  [{ schema: MIXED }, ['x', '5'], 'p=x&p=5'],
  [{ schema: MIXED, explode: false }, ['x', '5'], 'p=x,5'],
  [{ content: { 'application/json': { schema: RECORD } } }, { R: 1 }, 'p=%7B%22R%22%3A1%7D'],
  [{ content: { 'text/plain': { schema: { type: 'string' } } } }, 'a,b', 'p=a%2Cb'],
];

describe('a value in a query', () => {
  test.each(QUERIES)('%j %j', async (described, value, query) => {
    const parameter = await parameterOf(described);
    expect(
      queryPairs(parameter, value)
        .map((pair) => pair.join('='))
        .join('&'),
    ).toBe(query);
    const others = queryOf(`other=1&p2=3&${query}&q[R]=5`);
    expect(decodeParameter(parameter, queryTexts(parameter, others))).toEqual(value);
  });

  test.each<[string, object, string, unknown]>([
    ['signs as they are', { style: 'pipeDelimited', schema: LIST }, 'p=3|4', [3, 4]],
    ['small letters', { style: 'pipeDelimited', schema: LIST }, 'p=3%7c4', [3, 4]],
    ['a plus for a space', { style: 'spaceDelimited', schema: LIST }, 'p=3+4', [3, 4]],
    ['a plus in a text', { schema: {} }, 'p=a+b%2Bc', 'a b+c'],
    ['brackets as they are', DEEP, 'p[R]=1', { R: 1 }],
    ['an empty bracket for each item', NESTED, 'p[tags][]=1&p[tags][]=2', { tags: [1, 2] }],
    ['the number of each item', NESTED, 'p[tags][0]=1&p[tags][1]=2', { tags: [1, 2] }],
    ['one item', NESTED, 'p[tags]=1', { tags: [1] }],
    [
      'objects as JSON in a list',
      { schema: { type: 'array', items: RECORD } },
      'p=%7B%22R%22:1%7D',
      [{ R: 1 }],
    ],
    ['encoding that is none', { schema: {} }, 'p=%zz', '%zz'],
    ['a name that JavaScript knows', NESTED, 'p[__proto__]=true', JSON.parse('{"__proto__":true}')],
    ['nested without end', DEEP, `p${'[a]'.repeat(9000)}=1`, expect.anything()],
  ])('%s', async (_, described, query, want) => {
    const parameter = await parameterOf(described);
    expect(decodeParameter(parameter, queryTexts(parameter, queryOf(query)))).toEqual(want);
  });

  test('an object with additional members takes what no other parameter does', async () => {
    const parameter = await parameterOf({ schema: { ...RECORD, additionalProperties: { type: 'integer' } } });
    const query = queryOf('R=1&limit=2&more=3');
    expect(decodeParameter(parameter, queryTexts(parameter, query, new Set(['p', 'limit'])))).toEqual({
      R: 1,
      more: 3,
    });
  });
});

describe('a list in a header', () => {
  test.each<[string, object, unknown]>([
    ['3, 4 ,\t5', { schema: LIST }, [3, 4, 5]],
    ['R=1, s=x y', { schema: RECORD, explode: true }, { R: 1, s: 'x y' }],
    ['a%20b', { schema: { type: 'array' } }, ['a%20b']],
  ])('%s', async (text, described, want) => {
    expect(decodeParameter(await parameterOf({ ...described, in: 'header' }), [text])).toEqual(want);
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
  [{ oneOf: [{ type: 'integer' }, RECORD] }, '7', 7],
  [{ enum: [1, 'a', null] }, '1', 1],
  [{ const: 'a' }, 'a', 'a'],
  [{}, '1', '1'],
];

test.each(TEXTS)('decoding by the schema %j the text %j', async (schema, text, want) => {
  expect(decodeParameter(await parameterOf({ schema }), [text])).toBe(want);
});

test('an integer is decoded exactly', async () => {
  const parameter = await parameterOf({ schema: { type: 'integer' } });
  expect(decodeParameter(parameter, ['9007199254740993'])).toBe(9007199254740993n);
  expect(encodeParameter(parameter, 9007199254740993n)).toEqual(['9007199254740993']);
});

test('decoding reverses encoding in every style', async () => {
  const text = fc.stringMatching(/^[\w~-]{1,8}$/).filter((each) => each !== 'null');
  const anything = fc.string({ unit: 'grapheme', minLength: 1 });
  const value = {
    one: fc.maxSafeInteger(),
    list: fc.array(fc.maxSafeInteger(), { minLength: 1 }),
    record: fc.record({ R: fc.maxSafeInteger(), s: text }, { requiredKeys: ['R'] }),
    texts: fc.array(anything, { minLength: 1 }),
    pair: fc.record({ s: anything, 'x.y': anything }),
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
      expect(decodeParameter(parameter, encodeParameter(parameter, given))).toEqual(given);
    }),
  );
});

test.each<[title: string, parameter: object, names: string[]]>([
  ['that are plain', { schema: { ...RECORD, required: ['s'] }, required: true }, ['R', 's (required)']],
  ['that are objects', { schema: { type: 'object', properties: { in: RECORD } } }, ['p']],
  ['of an open object', { schema: OPEN }, ['p']],
  ['in brackets', { schema: RECORD, style: 'deepObject' }, ['p']],
  ['in one text', { schema: RECORD, explode: false }, ['p']],
])('members of an object in the query are parameters: %s', async (_, parameter, names) => {
  const described = { name: 'p', in: 'query', ...parameter };
  const get = { parameters: [described], responses: { 200: { description: 'Done' } } };
  const { operations } = await contractOf({ 'a.json': documentOf({ '/a': { get } }) });
  const read = operations[0]?.parameters.map(({ name, required }) =>
    required ? `${name} (required)` : name,
  );
  expect(read).toEqual(names);
});
