import { expect, test } from 'vitest';
import { StoreUnavailable } from '../store/port.ts';
import { ask, SHIPPED, serve } from '../testing/serve.ts';
import type { Session } from './session.ts';
import { createSessions } from './sessions.ts';

const GOOD = { name: 'Rex', categoryId: 1 };
const HOUR = 3_600_000;
const asNobody = { authorization: '' };

test('a session has records, log and rules of its own, by its path and by its header', async () => {
  const mock = await serve(SHIPPED);
  const [a, b] = [mock.session('a'), mock.session('b')];
  expect(a.url).toBe('http://localhost/~a/v1');
  await ask(mock, 'POST /pets', GOOD, { 'paddock-session': 'a' });
  a.addRule({ operation: 'listPets', status: 503 });
  expect((await ask(mock, `GET ${a.url}/pets/51`)).body).toEqual({ id: 51, ...GOOD });
  expect((await ask(mock, `GET ${a.url}/pets`)).status).toBe(503);
  for (const line of [`GET ${b.url}/pets/51`, 'GET /pets/51'])
    expect((await ask(mock, line)).status).toBe(404);
  expect((await ask(mock, `GET ${b.url}/pets`)).status).toBe(200);
  expect([a, b, mock].map((session) => session.requests().length)).toEqual([3, 2, 1]);

  await ask(mock, `POST ${b.url}/pets`, GOOD);
  await a.reset();
  expect((await ask(mock, `GET ${a.url}/pets/51`)).status).toBe(404);
  expect((await ask(mock, `GET ${b.url}/pets/51`)).status).toBe(200);
});

test('a write leaves what others share as it was: filters, pages, single records', async () => {
  const mock = await serve(SHIPPED);
  const lines = ['GET /pets?limit=100', 'GET /pets?status=sold&limit=100', 'GET /pets/1'];
  const texts = () => Promise.all(lines.map(async (line) => (await ask(mock, line)).text));
  const before = await texts();
  const session = mock.session('writer');
  for (let n = 0; n < 20; n++) await ask(mock, `POST ${session.url}/pets`, { ...GOOD, status: 'sold' });
  expect(await texts()).toEqual(before);
  expect((await ask(mock, `GET ${session.url}/pets?status=sold&limit=100`)).body.at(-1)).toMatchObject(GOOD);
});

test('of path and header the path counts; what leads on leads into the session', async () => {
  const mock = await serve(SHIPPED);
  await ask(mock, 'POST /pets', GOOD, { 'paddock-session': 'a' });
  const read = await ask(mock, 'GET http://localhost/~a/v1/pets/51', undefined, { 'paddock-session': 'b' });
  expect(read.status).toBe(200);
  expect(read.headers.get('link')).toBe('</~a/v1/pets>; rel="successor-version"');
  const nowhere = await ask(mock, 'GET http://localhost/~a/v2/pets');
  expect(nowhere.body.message).toContain('Base URL: http://localhost/~a/v1');
  expect((await ask(mock, 'GET http://localhost/~a/openapi.json', undefined, asNobody)).status).toBe(200);
});

test.each(['a b', '', 'ä', 'x'.repeat(65), 'a%20b'])('%j is no valid session name', async (name) => {
  const mock = await serve(SHIPPED);
  const answer = await ask(mock, `GET http://localhost/~${encodeURI(name)}/v1/pets`);
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 400,
    code: 'invalid_session_name',
  });
  expect(answer.body.message).toMatch(/1 to 64 letters/);
});

test('who may not come in learns nothing in a session either', async () => {
  const mock = await serve(SHIPPED);
  expect((await ask(mock, 'GET http://localhost/~a/v1/pets/51', undefined, asNobody)).status).toBe(401);
});

test('a session that is idle for an hour is removed, and seeded again on its next use', async () => {
  let now = 0;
  const notices: string[] = [];
  const mock = await serve(SHIPPED, { time: () => now, notice: (text) => notices.push(text) });
  const [idle, busy] = [mock.session('idle'), mock.session('busy')];
  for (const { url } of [idle, busy]) await ask(mock, `POST ${url}/pets`, GOOD);
  now = HOUR - 1;
  expect((await ask(mock, `GET ${busy.url}/pets/51`)).status).toBe(200);
  now = HOUR;
  expect((await ask(mock, `GET ${busy.url}/pets/51`)).status).toBe(200);
  expect(notices).toEqual(['session "idle" was removed: it was idle for too long']);
  expect((await ask(mock, `GET ${idle.url}/pets/51`)).status).toBe(404);
  expect((await ask(mock, 'GET /pets/1')).status).toBe(200);
});

test('above the maximum the session idle the longest is removed, with a notice', async () => {
  const notices: string[] = [];
  const mock = await serve(SHIPPED, { maxSessions: 3, notice: (text) => notices.push(text) });
  for (const name of ['a', 'b', 'c', 'a', 'd']) await ask(mock, `POST ${mock.session(name).url}/pets`, GOOD);
  expect(notices).toEqual([
    'session "b" was removed: there are more than 3 sessions, and it was idle the longest',
  ]);
  const last = async (name: string) => (await ask(mock, `GET ${mock.session(name).url}/pets/52`)).status;
  expect(await last('a')).toBe(200);
  expect(await last('b')).toBe(404);
});

test.each<[string, () => void | Promise<void>]>([
  [
    'at once',
    () => {
      throw new StoreUnavailable('its disk is full');
    },
  ],
  ['later', () => Promise.reject(new StoreUnavailable('it cannot be reached'))],
])(
  'a store that fails %s to delete a removed session does no harm to the request that made room',
  (_, close) => {
    const open = (name: string) =>
      ({
        name,
        events: { close() {} },
        recordEvents: { close() {} },
        journal: { clear() {} },
        store: { close },
      }) as unknown as Session;
    const notices: string[] = [];
    const notice = (text: string) => notices.push(text);
    const sessions = createSessions({ open, most: 1, idle: HOUR, time: () => 0, notice });
    expect([sessions.find('a').name, sessions.find('b').name]).toEqual(['a', 'b']);
    expect(notices).toEqual([expect.stringMatching(/^session "a" was removed/)]);
    sessions.close();
  },
);
