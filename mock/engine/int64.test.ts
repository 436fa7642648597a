import { expect, test } from 'vitest';
import { ask, misfits, SHIPPED, serve } from '../testing/serve.ts';

/** Integers in a body, and their results: the returned text, or a refusal. */
const IN_BODIES: readonly (readonly [source: string, want: string | 400])[] = [
  ['0', '0'],
  ['-0', '0'],
  ['1', '1'],
  ['-1', '-1'],
  ['2147483647', '2147483647'],
  ['2147483648', '2147483648'],
  ['-2147483649', '-2147483649'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['9223372036854775806', '9223372036854775806'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775808', 400],
  ['-9223372036854775809', 400],
  ['18446744073709551616', 400],
  ['1e400', 400],
  // RFC 8259 has one kind of number: one without a fraction is an integer, however it is written.
  ['1.0', '1'],
  ['1e3', '1000'],
  ['9.007199254740993e15', '9007199254740993'],
  ['1.5', 400],
  ['9007199254740992.5', 400],
  ['1e-1', 400],
  ['"7"', 400],
  ['null', 400],
  ['true', 400],
  ['[7]', 400],
];

test.each(IN_BODIES)('%s in a body', async (source, want) => {
  const mock = await serve(SHIPPED);
  const created = await ask(mock, 'POST /pets', `{"name":"Int","categoryId":${source}}`);
  expect(misfits(mock, 'createPet', created)).toEqual([]);
  if (want === 400) {
    expect(created.status).toBe(400);
    expect(created.body.message).toMatch(/^body\.categoryId must /);
    return;
  }
  expect(created.status).toBe(201);
  const text = `"categoryId":${want}}`;
  expect(created.text).toContain(text);
  expect((await ask(mock, `GET /pets/${created.body.id}`)).text).toBe(created.text);
  expect((await ask(mock, 'GET /pets?limit=100')).text).toContain(created.text);
});

test.each([
  '{"name":"Int","categoryId":01}',
  '{"name":"Int","categoryId":+1}',
  '{"name":"Int","categoryId":0x1}',
])('%s is no JSON', async (body) => {
  const { status, body: answered } = await ask(await serve(SHIPPED), 'POST /pets', body);
  expect(status).toBe(400);
  expect(answered.message).toMatch(/^body must be JSON: invalid at column 2\d$/);
});

/** Texts in the place of an id; only a plain decimal integer identifies a record. */
const IN_PATHS: readonly (readonly [text: string, want: 200 | 404])[] = [
  ['1', 200],
  ['48', 200],
  ['1001', 200],
  ['%31', 200],
  ['0', 404],
  ['-1', 404],
  ['51', 404],
  ['9007199254740993', 404],
  ['9223372036854775807', 404],
  ['-9223372036854775808', 404],
  ['9223372036854775808', 404],
  ['18446744073709551617', 404],
  ['01', 404],
  ['+1', 404],
  ['1.0', 404],
  ['1e0', 404],
  ['0x1', 404],
  ['1%20', 404],
  ['%2B1', 404],
  ['1n', 404],
  ['NaN', 404],
  ['null', 404],
  ['%00', 404],
  ['%ff', 404],
  ['%zz', 404],
  ['%D9%A1', 404],
  ['1,2', 404],
  ['__proto__', 404],
];

test.each(IN_PATHS)('%s in a path', async (text, want) => {
  const mock = await serve(SHIPPED);
  const answer = await ask(mock, `GET /pets/${text}`);
  expect(answer.status).toBe(want);
  expect(misfits(mock, 'getPet', answer)).toEqual([]);
});

const IN_QUERIES: readonly (readonly [query: string, want: number])[] = [
  ['limit=1', 1],
  ['limit=100', 50],
  ['', 20],
  ['limit=%35', 5],
  ['limit=0', 400],
  ['limit=101', 400],
  ['limit=-1', 400],
  ['limit=', 400],
  ['limit', 400],
  ['limit=ten', 400],
  ['limit=1.5', 400],
  ['limit=1e1', 400],
  ['limit=+1', 400],
  ['limit=%2B1', 400],
  ['limit=01', 400],
  ['limit=0x1', 400],
  ['limit=%201', 400],
  ['limit=9007199254740993', 400],
  ['limit=9223372036854775808', 400],
  ['limit=1&limit=2', 400],
  ['limit=1,2', 400],
];

test.each(IN_QUERIES)('"%s" in a query', async (query, want) => {
  const mock = await serve(SHIPPED);
  const answer = await ask(mock, `GET /pets?${query}`);
  expect(misfits(mock, 'listPets', answer)).toEqual([]);
  if (want === 400)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^query\.limit /) } });
  else expect(answer.body).toHaveLength(want);
});
