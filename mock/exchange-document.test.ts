import { expect, test } from 'vitest';
import { ask, fixture, serve } from './testing/serve.ts';

const EXCHANGE = fixture('exchange.yaml');

test('where nothing says which ids there are, each names a record, which stays', async () => {
  const mock = await serve(EXCHANGE);
  const first = await ask(mock, 'GET /rates/CHF');
  expect(first).toMatchObject({ status: 200, body: { currency: 'CHF' } });
  expect((await ask(mock, 'GET /rates/CHF')).body).toEqual(first.body);
  expect(await ask(mock, 'PUT /rates/SEK', { value: 11.5 })).toMatchObject({
    status: 200,
    body: { currency: 'SEK', value: 11.5 },
  });
  expect((await ask(mock, 'GET /rates/SEK')).body).toEqual({ currency: 'SEK', value: 11.5 });
});

test('a PUT creates what is not there, where 201 is documented beside 200', async () => {
  const mock = await serve(EXCHANGE);
  const email = 'a@example.com';
  expect(await ask(mock, 'GET /traders/700')).toMatchObject({ status: 404 });
  expect(await ask(mock, 'PUT /traders/700', { email })).toMatchObject({ status: 201, body: { id: 700 } });
  expect(await ask(mock, 'PUT /traders/700', { email, limit: 9 })).toMatchObject({ status: 200 });
  expect((await ask(mock, 'GET /traders/700')).body).toEqual({ id: 700, email, limit: 9 });
});

test('what the schema of the request allows and no response could show is refused', async () => {
  const mock = await serve(EXCHANGE);
  const { status, text } = await ask(mock, 'POST /traders', { email: 'nobody', limit: 501 });
  expect(status).toBe(400);
  expect(text).toContain('body.email must fit the format email; body.limit must be at most 500');
});

test('objects inside of a record get what its own schema requires', async () => {
  const mock = await serve(EXCHANGE);
  const { status, body } = await ask(mock, 'POST /traders', { email: 'a@example.com', desk: { floor: 3 } });
  expect([status, body.desk]).toEqual([201, { floor: 3, number: expect.any(Number) }]);
});

test('what can be no id is answered with a sample', async () => {
  const mock = await serve(EXCHANGE);
  const { status, body } = await ask(mock, 'GET /branches/near/47.3/12.5');
  expect([status, body]).toEqual([200, { id: expect.any(Number), street: expect.any(String) }]);
});
