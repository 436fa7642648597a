import { expect, test } from 'vitest';
import { ask, SHIPPED, serve } from '../testing/serve.ts';

test('sessions are listed with what they hold, in pages, and none begins by it', async () => {
  const mock = await serve(SHIPPED);
  const list = async (query = '') => (await ask(mock, `GET ${mock.controlUrl}/sessions${query}`)).body;
  expect(await list()).toEqual({
    total: 1,
    sessions: [{ name: '', records: { '/pets': 50 }, requests: 0, rules: 0, latency: 0 }],
  });
  for (const name of ['ada', 'tom']) await mock.session(name).fetch('/pets');
  const tom = mock.session('tom');
  tom.addRule({ operation: 'listPets', status: 503 });
  await tom.setClock(new Date('2030-12-06'));
  await ask(mock, 'PUT http://localhost/__admin/latency?session=ada', { latency: '20-50' });
  const names = async (query = '') => (await list(query)).sessions.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['', 'ada', 'tom']);
  const [, ada, last] = (await list()).sessions;
  expect(ada).toMatchObject({ requests: 1, rules: 0, latency: '20-50' });
  expect(last).toMatchObject({ requests: 1, rules: 1, now: expect.stringMatching(/^2030-12-06T00:00/) });
  expect(await names('?limit=1&offset=1')).toEqual(['ada']);
  expect(await list('?name=o&limit=1')).toMatchObject({ total: 1, sessions: [{ name: 'tom' }] });
  expect((await ask(mock, `GET ${mock.controlUrl}/sessions?limit=1000`)).status).toBe(400);
});
