import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

/** As from Django REST framework: different schemas for requests and responses, and exact amounts as texts. */
const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  ...{ required, properties },
});
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const listOf = (items: object) => ({ type: 'array', items });
const id = { ...whole, readOnly: true };
const BOOT = object({ id, name: text, price: { ...text, format: 'decimal' } });
const ROW = object({ id, boot: object({ id: whole, name: text }), qty: whole });
const ADDED = object({ boot: whole, qty: whole });
const USER = object({ id, email: text, name: text });
const SIGN_UP = object({ email: text, name: text, password: { ...text, writeOnly: true } });
const SIGN_IN = object({ email: text, password: { ...text, writeOnly: true } });

const done = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const secured = { security: [{ token: [] }] };
const sends = (body: object, answer: object) => ({ ...secured, requestBody: json(body), ...done(answer) });
const parameters = [{ name: 'id', in: 'path', required: true, schema: whole }];
const asked = (name: string, schema: object) => ({ name, in: 'query', schema });
const paths = {
  '/auth/register': { post: { requestBody: json(SIGN_UP), ...done(USER) } },
  '/auth/login': { post: { requestBody: json(SIGN_IN), ...done(object({ token: text })) } },
  '/boots': {
    get: {
      parameters: [asked('ordering', text), asked('price', { type: 'number' })],
      ...done(listOf(BOOT)),
    },
    post: { requestBody: json(BOOT), ...done(BOOT) },
  },
  '/basket': { get: { ...secured, ...done(listOf(ROW)) } },
  '/basket/add': { post: sends(ADDED, ADDED) },
  '/basket/delete-all': { post: sends(ROW, ROW) },
  '/basket/{id}/update-quantity': { parameters, post: sends(object({ qty: whole }), ADDED) },
  '/profile': { get: { ...secured, ...done(listOf(USER)) } },
  '/profile/update': { patch: sends(object({ id, name: text }, []), USER) },
};
const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };

async function serveTwo(all: object = paths) {
  const mock = await serveText(documentOf(all, { components: { securitySchemes } }));
  const logIn = async (name: string) => {
    const account = { email: `${name}@example.com`, password: 'secret-123' };
    await ask(mock, 'POST /auth/register', { ...account, name });
    const { body } = await ask(mock, 'POST /auth/login', account);
    return async (request: string, sent?: object) =>
      (await ask(mock, request, sent, { authorization: `Bearer ${body.token}` })).body;
  };
  return { mock, ann: await logIn('ann'), ben: await logIn('ben') };
}

test('a basket has what the account has put into it, an object for the id that was sent, and is emptied for it alone', async () => {
  const { mock, ann, ben } = await serveTwo();
  const { body: boot } = await ask(mock, 'POST /boots', { name: 'Wader', price: '120.50' });
  expect([await ann('GET /basket'), await ben('GET /basket')]).toEqual([[], []]);
  expect(await ann('POST /basket/add', { boot: boot.id, qty: 2 })).toMatchObject({ boot: boot.id, qty: 2 });
  await ben('POST /basket/add', { boot: 7, qty: 1 });
  const [row, ...more] = await ann('GET /basket');
  expect([row.boot.id, row.qty, more]).toEqual([boot.id, 2, []]);
  await ann(`POST /basket/${row.id}/update-quantity`, { qty: 5 });
  expect((await ann('GET /basket'))[0].qty).toBe(5);
  await ann('POST /basket/delete-all', { boot: { id: boot.id, name: 'Wader' }, qty: 5 });
  expect(await ann('GET /basket')).toEqual([]);
  expect(await ben('GET /basket')).toMatchObject([{ boot: { id: 7 } }]);
});

test('a basket has all that is seeded for those who have not registered', async () => {
  const { mock } = await serveTwo();
  const { body } = await ask(mock, 'POST /auth/login', {
    email: 'seen@example.com',
    password: 'paddock-dev-password',
  });
  const all = await ask(mock, 'GET /basket', undefined, { authorization: `Bearer ${body.token}` });
  expect(all.body.length).toBeGreaterThan(10);
});

test('a profile that the account changes is the only one that it sees', async () => {
  const { ann } = await serveTwo();
  expect(await ann('PATCH /profile/update', { name: 'Ann Lind' })).toMatchObject({ name: 'Ann Lind' });
  expect(await ann('GET /profile')).toMatchObject([{ email: 'ann@example.com', name: 'Ann Lind' }]);
});

test('a file says that a list is of what the account has made, or that it is not', async () => {
  const basket = { get: { ...paths['/basket'].get, 'x-paddock': { where: {} } } };
  const boots = {
    get: { ...secured, ...done(listOf(BOOT)), 'x-paddock': { where: { $maker: '$account' } } },
    post: sends(BOOT, BOOT),
  };
  const { ann, ben } = await serveTwo({ ...paths, '/basket': basket, '/boots': boots });
  await ann('POST /boots', { name: 'Wader', price: '120.50' });
  expect(await ann('GET /boots')).toMatchObject([{ name: 'Wader' }]);
  expect(await ben('GET /boots')).toEqual([]);
  expect((await ben('GET /basket')).length).toBeGreaterThan(10);
});

test('exact amounts are ordered and found as numbers', async () => {
  const { mock } = await serveTwo();
  await ask(mock, 'POST /boots', { name: 'Wader', price: '1120.50' });
  await ask(mock, 'POST /boots', { name: 'Clog', price: '9.00' });
  const pricesOf = async (query: string): Promise<number[]> =>
    (await ask(mock, `GET /boots?${query}`)).body.map(({ price }: { price: string }) => Number(price));
  const prices = await pricesOf('ordering=price');
  expect(prices).toEqual([...prices].sort((one, other) => one - other));
  expect(await pricesOf('price=1120.5')).toEqual([1120.5]);
});
