import { describe, expect, test } from 'vitest';
import { asReceived, encodeBody } from './body-codec.ts';
import { bodyMedia, type MediaType } from './media-type.ts';
import { compileRequestReader } from './request-reader.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

const FORM = 'application/x-www-form-urlencoded';

const PROPERTIES = {
  name: { type: 'string' },
  age: { type: 'integer' },
  weight: { type: 'number' },
  good: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' } },
  sizes: { type: 'array', items: { type: 'integer' } },
  codes: { type: 'array', items: { type: 'integer' } },
  piped: { type: 'array', items: { type: 'string' } },
  address: { type: 'object', properties: { city: { type: 'string' }, floor: { type: 'integer' } } },
  card: {
    type: 'object',
    properties: {
      number: { type: 'integer' },
      owner: { type: 'object', properties: { name: { type: 'string' } } },
      digits: { type: 'array', items: { type: 'integer' } },
    },
  },
  colour: { type: 'object', properties: { r: { type: 'integer' }, g: { type: 'integer' } } },
  lines: {
    type: 'array',
    items: { type: 'object', properties: { price: { type: 'integer' }, text: { type: 'string' } } },
  },
  until: { type: ['integer', 'null'] },
  nick: { type: ['string', 'null'] },
};

const ENCODING = {
  codes: { style: 'form', explode: false },
  piped: { style: 'pipeDelimited', explode: false },
  card: { style: 'deepObject', explode: true },
  colour: { style: 'form', explode: true },
};

interface Given {
  readonly properties?: object;
  readonly encoding?: object;
  readonly others?: object;
  readonly type?: string;
}

async function formOf({
  properties = PROPERTIES,
  encoding = ENCODING,
  others = {},
  type = FORM,
}: Given = {}) {
  const content = { [type]: { schema: { type: 'object', properties, ...others }, encoding } };
  const post = { requestBody: { required: true, content }, responses: { 200: { description: 'Done' } } };
  const contract = await contractOf({ 'a.json': documentOf({ '/a': { post } }) });
  const [operation] = contract.operations;
  if (!operation) throw new Error('no operation');
  const reader = compileRequestReader(operation, contract.validators);
  const read = (body: string | Uint8Array, contentType = type) =>
    reader({ path: {}, query: '', headers: { 'content-type': contentType }, body: Buffer.from(body) });
  return { read, media: bodyMedia(operation.body) as MediaType };
}

describe('a form is read by its schema', () => {
  test.each<[body: string, want: object]>([
    ['name=a+b%2Bc', { name: 'a b+c' }],
    ['name=42&age=42', { name: '42', age: 42 }],
    ['age=9007199254740993', { age: 9007199254740993n }],
    ['weight=1.50&good=true', { weight: 1.5, good: true }],
    ['tags=a&tags=b%2Cc', { tags: ['a', 'b,c'] }],
    ['tags=a', { tags: ['a'] }],
    ['tags[]=a&tags[]=b', { tags: ['a', 'b'] }],
    ['tags%5B0%5D=a&tags%5B1%5D=b', { tags: ['a', 'b'] }],
    ['sizes=1&sizes=2', { sizes: [1, 2] }],
    ['codes=1,2', { codes: [1, 2] }],
    ['codes=1%2C2', { codes: [1, 2] }],
    ['piped=a|b%7Cc', { piped: ['a', 'b', 'c'] }],
    ['address={"city":"Ulm","floor":2}', { address: { city: 'Ulm', floor: 2 } }],
    ['address[city]=Ulm&address[floor]=2', { address: { city: 'Ulm', floor: 2 } }],
    [
      'card[number]=42&card[owner][name]=Zo%C3%AB&card[digits][]=1&card[digits][]=2',
      { card: { number: 42, owner: { name: 'Zoë' }, digits: [1, 2] } },
    ],
    ['r=1&g=2&name=n', { colour: { r: 1, g: 2 }, name: 'n' }],
    [
      'lines[0][price]=1&lines[0][text]=a&lines[1][price]=2',
      { lines: [{ price: 1, text: 'a' }, { price: 2 }] },
    ],
    ['lines[][price]=1&lines[][text]=a&lines[][price]=2', { lines: [{ price: 1, text: 'a' }, { price: 2 }] }],
    ['lines={"price":1}&lines={"price":2}', { lines: [{ price: 1 }, { price: 2 }] }],
    ['lines=[{"price":1},{"price":2}]', { lines: [{ price: 1 }, { price: 2 }] }],
    ['until=&nick=', { until: null, nick: '' }],
    ['other=1&more[a]=1&more[b]=2', { other: '1', more: { a: '1', b: '2' } }],
    ['name=100%', { name: '100%' }],
    ['__proto__=1', Object.fromEntries([['__proto__', '1']])],
    ['', {}],
  ])('%s', async (body, want) => {
    const { read } = await formOf();
    expect(read(body)).toMatchObject({ body: want, violations: [] });
    expect(read(body).body).toEqual(want);
  });
});

describe('what breaks the schema is refused, with the place in it', () => {
  test.each<[body: string, want: string]>([
    ['age=4x', '/age type: must be an integer'],
    ['age=', '/age type: must be an integer'],
    ['age=1&age=2', '/age type: must be an integer'],
    ['good=1', '/good type: must be a boolean'],
    ['card[number]=x', '/card/number type: must be an integer'],
    ['lines[0][price]=1&lines[1][price]=x', '/lines/1/price type: must be an integer'],
    ['address=Ulm', '/address type: must be an object'],
    ['name=caf%E9', ' content: must be a form in UTF-8'],
  ])('%s', async (body, want) => {
    const { violations } = (await formOf()).read(body);
    expect(violations.map(({ pointer, keyword, expected }) => `${pointer} ${keyword}: ${expected}`)).toEqual([
      want,
    ]);
  });

  test('a form of another encoding than UTF-8', async () => {
    const { violations } = (await formOf()).read(Uint8Array.of(0x61, 0x3d, 0xe9));
    expect(violations).toMatchObject([{ kind: 'syntax' }]);
  });

  test('a required member of a form without any', async () => {
    const { read } = await formOf({ others: { required: ['name'] } });
    expect(read('').violations).toMatchObject([{ pointer: '/name', keyword: 'required' }]);
  });
});

test('a value is sent in the documented notation', async () => {
  const { media } = await formOf();
  const value = {
    name: 'a b&=+ë',
    age: 9007199254740993n,
    tags: ['a', 'b,c'],
    codes: [1, 2],
    card: { number: 1, digits: [1, 2] },
    colour: { r: 1, g: 2 },
    address: { city: 'Ulm' },
    until: null,
  };
  const { bytes, type } = encodeBody(media, value);
  expect(type).toBe(FORM);
  expect(decodeURIComponent(Buffer.from(bytes).toString().replaceAll('%26', '%2526')).split('&')).toEqual([
    'name=a+b%26=+ë',
    'age=9007199254740993',
    'tags=a',
    'tags=b,c',
    'codes=1,2',
    'card[number]=1',
    'card[digits][0]=1',
    'card[digits][1]=2',
    'r=1',
    'g=2',
    'address={"city":"Ulm"}',
  ]);
  const { until: _, ...rest } = value;
  expect(asReceived(media, value)).toEqual(rest);
});

test('what is empty has no field', async () => {
  const { media } = await formOf();
  const value = { name: 'n', tags: [], codes: [], address: {}, card: {}, until: null };
  expect(Buffer.from(encodeBody(media, value).bytes).toString()).toBe('name=n');
});

test('no value but an object is a form', async () => {
  const { media } = await formOf();
  expect(asReceived(media, [])).toBeUndefined();
});

test('a long hostile form is read in linear time', async () => {
  const { read } = await formOf();
  const began = performance.now();
  read(`${'a&'.repeat(200_000)}${'lines[]=1&'.repeat(50_000)}card${'[a]'.repeat(50_000)}=1`);
  expect(performance.now() - began).toBeLessThan(10_000);
});

describe('where a field has several types', () => {
  const text = { type: 'string' };
  const orEmpty = (other: object) => ({ anyOf: [other, { type: 'string', enum: [''] }] });
  const properties = {
    tags: orEmpty({ type: 'array', items: text }),
    sizes: { type: 'array', items: { type: 'integer' } },
    code: {
      anyOf: [
        { type: 'integer', minimum: 100 },
        { type: 'string', pattern: '^\\d\\d?$' },
      ],
    },
    owner: orEmpty({ type: 'object', properties: { age: { type: 'integer' } } }),
    pick: {
      anyOf: [
        {
          type: 'object',
          required: ['n'],
          additionalProperties: false,
          properties: { n: { type: 'integer' } },
        },
        { type: 'object', required: ['s'], properties: { n: text, s: text } },
      ],
    },
  };

  test.each<[body: string, want: object]>([
    ['tags=', { tags: '' }],
    ['tags=a', { tags: ['a'] }],
    ['tags[]=a&tags[]=', { tags: ['a', ''] }],
    ['sizes=', { sizes: [] }],
    ['sizes[]=', { sizes: [] }],
    ['code=7', { code: '7' }],
    ['code=700', { code: 700 }],
    ['owner=', { owner: '' }],
    ['owner[age]=3', { owner: { age: 3 } }],
    ['pick[n]=3', { pick: { n: 3 } }],
    ['pick[n]=3&pick[s]=4', { pick: { n: '3', s: '4' } }],
  ])('%s', async (body, want) => {
    const { read } = await formOf({ properties, encoding: {} });
    expect(read(body)).toMatchObject({ body: want, violations: [] });
  });

  test.each<[body: string, want: object]>([
    ['kind=number&value=5', { kind: 'number', value: 5 }],
    ['kind=text&value=5', { kind: 'text', value: '5' }],
    ['kind=flags&value=true', { kind: 'flags', value: [true] }],
    ['kind=flags&value=', { kind: 'flags', value: [] }],
  ])('by the form of the body that it makes: %s', async (body, want) => {
    const form = (kind: string, value: object) => ({
      required: ['kind', 'value'],
      properties: { kind: { const: kind }, value },
    });
    const oneOf = [
      form('number', { type: 'integer' }),
      form('text', text),
      form('flags', { type: 'array', items: { type: 'boolean' } }),
    ];
    const { read } = await formOf({ properties: {}, encoding: {}, others: { oneOf } });
    expect(read(body)).toMatchObject({ body: want, violations: [] });
    expect(read('kind=number&value=x').violations).toMatchObject([{ received: 'x' }]);
  });
});
