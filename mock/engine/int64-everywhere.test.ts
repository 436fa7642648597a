import { describe, expect, test } from 'vitest';
import { parseJson } from '#spec';
import type { Mock } from '../index.ts';
import { ask, documentOf, serveText } from '../testing/serve.ts';

/**
 * One table for the three places of an integer. In JSON an integer is a value, however it is written; in a path or query it
 * is text, and only the plain decimal form counts (a sign before a zero changes nothing).
 */
const VALUES: readonly (readonly [
  written: string,
  inBody: string | 'refused',
  inText: string | 'refused',
])[] = [
  ['0', '0', '0'],
  ['-0', '0', '0'],
  ['1', '1', '1'],
  ['-1', '-1', '-1'],
  ['+1', 'refused', 'refused'],
  ['01', 'refused', 'refused'],
  ['00', 'refused', 'refused'],
  ['-01', 'refused', 'refused'],
  ['1.0', '1', 'refused'],
  ['1.5', 'refused', 'refused'],
  ['1e3', '1000', 'refused'],
  ['1E+3', '1000', 'refused'],
  ['1e-3', 'refused', 'refused'],
  ['2147483647', '2147483647', '2147483647'],
  ['2147483648', '2147483648', '2147483648'],
  ['-2147483648', '-2147483648', '-2147483648'],
  ['-2147483649', '-2147483649', '-2147483649'],
  ['4294967296', '4294967296', '4294967296'],
  ['9007199254740991', '9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993', '-9007199254740993'],
  ['9007199254740993.0', '9007199254740993', 'refused'],
  ['9007199254740993.5', 'refused', 'refused'],
  ['9.007199254740993e15', '9007199254740993', 'refused'],
  ['9007199254740993e0', '9007199254740993', 'refused'],
  ['9223372036854775806', '9223372036854775806', '9223372036854775806'],
  ['9223372036854775807', '9223372036854775807', '9223372036854775807'],
  ['9223372036854775808', 'refused', 'refused'],
  ['-9223372036854775808', '-9223372036854775808', '-9223372036854775808'],
  ['-9223372036854775809', 'refused', 'refused'],
  ['09223372036854775807', 'refused', 'refused'],
  ['9.223372036854775807e18', '9223372036854775807', 'refused'],
  ['18446744073709551616', 'refused', 'refused'],
  ['1e400', 'refused', 'refused'],
];

const int64 = { type: 'integer', format: 'int64' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const errorBody = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const refusal = { description: 'No', ...json(errorBody) };
const number = { type: 'object', required: ['value'], properties: { value: int64 } };
const record = {
  allOf: [number, { type: 'object', required: ['id'], properties: { id: { ...int64, readOnly: true } } }],
};

const NUMBERS = documentOf({
  '/numbers': {
    get: {
      operationId: 'listNumbers',
      parameters: [{ name: 'value', in: 'query', schema: int64 }],
      responses: { 200: { description: 'All', ...json({ type: 'array', items: record }) }, 400: refusal },
    },
    post: {
      operationId: 'addNumber',
      requestBody: { required: true, ...json(number) },
      responses: { 201: { description: 'Added', ...json(record) }, 400: refusal },
    },
  },
  '/numbers/{id}': {
    get: {
      operationId: 'getNumber',
      parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
      responses: { 200: { description: 'One', ...json(record) }, 404: refusal },
    },
  },
});

const ACCEPTED = [...new Set(VALUES.flatMap(([, , inText]) => (inText === 'refused' ? [] : [inText])))];

/** One record for each integer, as its id and value. */
async function numbers(): Promise<Mock> {
  const mock = await serveText(NUMBERS, { count: 0 });
  const records = ACCEPTED.map((text) => `{"id":${text},"value":${text}}`);
  await mock.restore({ records: { '/numbers': parseJson(`[${records}]`) as unknown[] } });
  return mock;
}

test('the table has more than thirty rows, each written in another way', () => {
  expect(new Set(VALUES.map(([written]) => written)).size).toBe(VALUES.length);
  expect(VALUES.length).toBeGreaterThan(30);
});

describe.for(VALUES)('%s', ([written, inBody, inText]) => {
  test(`in a body: ${inBody}`, async () => {
    const { status, text, body } = await ask(await numbers(), 'POST /numbers', `{"value":${written}}`);
    expect(status).toBe(inBody === 'refused' ? 400 : 201);
    if (inBody === 'refused') expect(body.message).toMatch(/^body/);
    else expect(text).toMatch(new RegExp(`"value":${inBody}[,}]`));
  });

  test(`in a path: ${inText}`, async () => {
    const { status, text } = await ask(await numbers(), `GET /numbers/${encodeURIComponent(written)}`);
    expect(status).toBe(inText === 'refused' ? 404 : 200);
    if (inText !== 'refused') expect(text).toBe(`{"id":${inText},"value":${inText}}`);
  });

  test(`in a query: ${inText}`, async () => {
    const { status, text, body } = await ask(
      await numbers(),
      `GET /numbers?value=${encodeURIComponent(written)}`,
    );
    expect(status).toBe(inText === 'refused' ? 400 : 200);
    if (inText === 'refused') expect(body.message).toMatch(/^query\.value must /);
    else expect(text).toBe(`[{"id":${inText},"value":${inText}}]`);
  });
});
