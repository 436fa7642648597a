import { describe, expect, test } from 'vitest';
import type { Operation } from './operation.ts';
import { cookiesOf } from './parameter-style.ts';
import { compileRequestReader, type RawRequest } from './request-reader.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

const PARAMETERS = [
  { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
  { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' }, maxItems: 2 } },
  { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { a: {} } } },
  { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
  { name: 'token', in: 'cookie', schema: { type: 'string' } },
  { name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } },
];

const SCHEMA = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};

async function reader(body: object = {}) {
  const content = { 'application/json': { schema: SCHEMA }, 'text/plain': { schema: { type: 'string' } } };
  const put = {
    parameters: PARAMETERS,
    requestBody: { required: true, content, ...body },
    responses: { 200: { description: 'Done' } },
  };
  const contract = await contractOf({ 'a.json': documentOf({ '/a/{id}': { put } }) });
  return compileRequestReader(contract.operations[0] as Operation, contract.validators);
}

interface Sent {
  id?: string;
  query?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array | undefined;
  type?: string | undefined;
}

function raw({ id = '1', query = '', headers = {}, body = '{"name":"n"}', type }: Sent): RawRequest {
  return {
    path: { id },
    query,
    headers: { 'content-type': type ?? 'application/json', ...headers },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  };
}

const BYTES = (...bytes: number[]) => new Uint8Array(bytes);

const REFUSED: [name: string, { given: Sent; want: string[] }][] = [
  [
    'a path parameter of another type',
    { given: { id: 'x' }, want: ['path id  schema type: must be an integer'] },
  ],
  [
    'an int64 too large by one',
    { given: { id: '9223372036854775808' }, want: ['path id  schema format: must fit the format int64'] },
  ],
  [
    'below the minimum',
    { given: { query: 'limit=0' }, want: ['query limit  schema minimum: must be at least 1'] },
  ],
  [
    'empty text for a number',
    { given: { query: 'limit=' }, want: ['query limit  schema type: must be an integer'] },
  ],
  [
    'one name twice',
    { given: { query: 'limit=1&limit=2' }, want: ['query limit  schema type: must be given once'] },
  ],
  [
    'too many items',
    {
      given: { query: 'tag=a&tag=b&tag=c' },
      want: ['query tag  schema maxItems: must have at most 2 items'],
    },
  ],
  ['no body', { given: { body: '' }, want: ['body   schema required: is required'] }],
  [
    'no type',
    { given: { type: '' }, want: ['body   media type content: must be application/json or text/plain'] },
  ],
  [
    'another type',
    {
      given: { type: 'application/xml', body: '<a/>' },
      want: ['body   media type content: must be application/json or text/plain'],
    },
  ],
  [
    'another charset',
    {
      given: { type: 'application/json; charset=iso-8859-1' },
      want: ['body   media type content: must be application/json in UTF-8'],
    },
  ],
  [
    'no UTF-8',
    {
      given: { body: BYTES(0x22, 0xe9, 0x22) },
      want: ['body   syntax content: must be JSON: it is not UTF-8'],
    },
  ],
  [
    'everything at once',
    {
      given: { id: 'x', query: 'limit=101', body: '{"name":null}' },
      want: [
        'path id  schema type: must be an integer',
        'query limit  schema maximum: must be at most 100',
        'body  /name schema type: must be a string',
      ],
    },
  ],
  ['a member missing', { given: { body: '{}' }, want: ['body  /name schema required: is required'] }],
  ['null', { given: { body: 'null' }, want: ['body   schema type: must be an object'] }],
];

describe('violations of a request', () => {
  test.each(REFUSED)('%s', async (_name, { given, want }) => {
    const { violations } = (await reader())(raw(given));
    expect(
      violations.map(
        ({ in: place, name, pointer, kind, keyword, expected }) =>
          `${place} ${name} ${pointer} ${kind} ${keyword}: ${expected}`,
      ),
    ).toEqual(want);
  });

  test.each(['{"name":', '{name:1}', '[1,]', "{'name':'n'}", 'undefined'])(
    'broken JSON: %s',
    async (body) => {
      const { violations, body: value } = (await reader())(raw({ body }));
      expect(violations).toMatchObject([{ in: 'body', kind: 'syntax', received: body }]);
      expect(value).toBeUndefined();
    },
  );
});

const ACCEPTED: [name: string, given: Sent, body: unknown][] = [
  ['a type in other letters, with a charset', { type: 'Application/JSON;Charset="UTF-8"' }, { name: 'n' }],
  ['a byte-order mark', { body: '\ufeff{"name":"n"}' }, { name: 'n' }],
  [
    'a value for a readOnly member, of whatever type',
    { body: '{"id":"x","name":"n"}' },
    { id: 'x', name: 'n' },
  ],
  [
    'unknown members',
    { body: '{"name":"n","other":9007199254740993}' },
    { name: 'n', other: 9007199254740993n },
  ],
  ['a body that is no JSON', { type: 'text/plain', body: '{' }, '{'],
];

test.each(ACCEPTED)('accepted: %s', async (_name, given, body) => {
  const read = (await reader())(raw(given));
  expect(read.violations).toEqual([]);
  expect(read.body).toEqual(body);
});

test('values are decoded by type, with defaults filled in', async () => {
  const read = (await reader())(
    raw({
      id: '9007199254740993',
      query: 'tag=a%20b&tag=c&filter[a]=x%3D&other=1',
      headers: { 'x-trace': 't', cookie: 'a=1; token=b=c==; bare; last=' },
    }),
  );
  expect(read.violations).toEqual([]);
  expect(read.parameters).toEqual({
    path: { id: 9007199254740993n },
    query: { limit: 20, tag: ['a b', 'c'], filter: { a: 'x=' } },
    header: { 'x-trace': 't' },
    cookie: { token: 'b=c==' },
  });
});

test('a missing required parameter is reported with its source position', async () => {
  const request = raw({});
  const { violations } = (await reader())({ ...request, path: {} });
  expect(violations).toMatchObject([
    { in: 'path', name: 'id', keyword: 'required', expected: 'is required' },
  ]);
});

test('an optional body may be empty', async () => {
  const read = await reader({ required: false });
  expect(read(raw({ body: '' }))).toMatchObject({ body: undefined, violations: [] });
  expect(read({ ...raw({}), body: undefined })).toMatchObject({ body: undefined, violations: [] });
});

test('a body is decoded by its Content-Type', async () => {
  const read = await reader({ content: { '*/*': { schema: SCHEMA } } });
  expect(read(raw({ body: '{}' })).violations).toHaveLength(1);
  expect(read(raw({ type: 'application/x-www-form-urlencoded', body: 'name=a+b' }))).toMatchObject({
    body: { name: 'a b' },
    violations: [],
  });
  // A text is no object, so an unreadable body is not accepted.
  expect(read(raw({ type: 'text/plain', body: '{}' })).violations).toMatchObject([{ kind: 'media type' }]);
});

test.each<[query: string, valid: boolean, values: object]>([
  ['n=', true, {}],
  ['n', true, {}],
  ['n=&list=&t=', true, { t: '' }],
  ['n=x', false, {}],
  ['n=&strict=', false, {}],
  ['', false, {}],
])('no text is a value where allowEmptyValue is true: %j', async (query, valid, values) => {
  const named = (name: string, schema: object, more = {}) => ({
    ...{ name, in: 'query', schema, allowEmptyValue: true },
    ...more,
  });
  const parameters = [
    named('n', { type: 'integer', enum: [1] }, { required: true }),
    named('list', { type: 'array', items: { type: 'integer' } }),
    named('t', { type: 'string' }),
    named('strict', { type: 'integer' }, { allowEmptyValue: false }),
  ];
  const get = { parameters, responses: { 200: { description: 'Done' } } };
  const { operations, validators } = await contractOf({ 'a.json': documentOf({ '/a': { get } }) });
  const read = compileRequestReader(operations[0] as Operation, validators)(raw({ query, id: '1' }));
  expect(read.violations.length === 0).toBe(valid);
  if (valid) expect({ ...read.parameters.query }).toEqual(values);
});

test.each(['*/*', 'application/*', 'application/json'])('%s takes any bytes as binary', async (type) => {
  const read = await reader({ content: { [type]: { schema: { type: 'string', format: 'binary' } } } });
  const types = ['application/json', 'application/xml', 'application/json; charset=latin1'];
  for (const sent of type === 'application/json' ? ['application/json'] : types)
    for (const body of ['{"a":1}', '{', BYTES(0xff, 0xfe), ''])
      expect(read(raw({ type: sent, body })).violations).toEqual([]);
});

test.each([
  [undefined, []],
  [
    'a=1; b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    ['a=1', 'b=x=y='],
    [
      ['a', '1'],
      ['b', 'x=y='],
    ],
  ],
  [
    'a; ;=;b=%20',
    [
      ['', ''],
      ['b', '%20'],
    ],
  ],
])('cookies of %j', (header, want) => {
  expect([...cookiesOf(header)]).toEqual(want);
});
