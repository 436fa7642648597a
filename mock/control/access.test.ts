import { expect, test } from 'vitest';
import { ask, SHIPPED, serve } from '../testing/serve.ts';
import { compileAccess } from './access.ts';

const TOKEN = 't0ken';
const local = { host: '127.0.0.1:4020' };

interface Given {
  readonly token?: string;
  readonly bound?: string;
  readonly headers: Record<string, string>;
}

test.each<[name: string, given: Given, want: undefined | 'forbidden' | 'unauthorized']>([
  ['a loopback Host', { headers: local }, undefined],
  ['localhost', { headers: { host: 'localhost:4020' } }, undefined],
  ['IPv6 loopback', { bound: '::1', headers: { host: '[::1]:4020' } }, undefined],
  ['a page of a loopback origin', { headers: { ...local, origin: 'http://localhost:5173' } }, undefined],
  ['a page of a foreign origin', { headers: { ...local, origin: 'https://evil.example' } }, 'forbidden'],
  [
    'a foreign origin that starts like a loopback name',
    { headers: { ...local, origin: 'http://localhost.evil.example' } },
    'forbidden',
  ],
  ['a page with an opaque origin', { headers: { ...local, origin: 'null' } }, 'forbidden'],
  ['DNS rebinding: a foreign Host', { headers: { host: 'evil.example:4020' } }, 'forbidden'],
  [
    'a foreign Host that starts like a loopback address',
    { headers: { host: '127.0.0.1.evil.example' } },
    'forbidden',
  ],
  ['no Host', { headers: {} }, 'forbidden'],
  ['not on loopback, without a token', { bound: '0.0.0.0', headers: local }, 'forbidden'],
  ['the token', { token: TOKEN, headers: { ...local, authorization: `Bearer ${TOKEN}` } }, undefined],
  [
    'the token, its scheme in lower case',
    { token: TOKEN, headers: { authorization: `bearer ${TOKEN}` } },
    undefined,
  ],
  [
    'the token, from elsewhere',
    {
      token: TOKEN,
      bound: '0.0.0.0',
      headers: { host: 'mock.example', origin: 'https://app.example', authorization: `Bearer ${TOKEN}` },
    },
    undefined,
  ],
  ['no token where one is set', { token: TOKEN, headers: local }, 'unauthorized'],
  ['another token', { token: TOKEN, headers: { ...local, authorization: 'Bearer t0ken2' } }, 'unauthorized'],
  [
    'the token in another scheme',
    { token: TOKEN, headers: { ...local, authorization: `Basic ${TOKEN}` } },
    'unauthorized',
  ],
])('%s', (_, { token, bound = '127.0.0.1', headers }, want) => {
  const access = compileAccess(token, bound);
  expect(access({ headers })?.refuse).toBe(want);
});

test('who is refused changes nothing, and learns how to be let in; health is open to all', async () => {
  const mock = await serve(SHIPPED, { adminToken: TOKEN });
  await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 1 });
  const admin = (line: string, authorization: string) =>
    ask(mock, line.replace(' ', ` ${mock.controlUrl}/`), undefined, { authorization });
  const refused = await admin('POST reset', 'Bearer paddock-dev-key');
  expect({
    status: refused.status,
    challenge: refused.headers.get('www-authenticate'),
    body: refused.body,
  }).toEqual({
    status: 401,
    challenge: 'Bearer realm="control"',
    body: {
      status: 401,
      code: 'unauthorized',
      message: expect.stringContaining('Authorization: Bearer <token>'),
    },
  });
  expect((await ask(mock, 'GET /pets/51')).status).toBe(200);
  expect((await admin('GET health', '')).status).toBe(200);
  expect((await admin('POST reset', `Bearer ${TOKEN}`)).status).toBe(204);
  expect((await ask(mock, 'GET /pets/51')).status).toBe(404);
});

test('responses never allow credentialed requests of a page', async () => {
  const mock = await serve(SHIPPED);
  const urls = [mock.controlUrl, 'http://localhost/~a/__admin'];
  const origins = ['http://localhost:5173', 'https://evil.example'];
  for (const [origin, url] of origins.flatMap((one) => urls.map((other) => [one, other] as const))) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask(mock, `${method} ${url}/state`, undefined, {
        origin,
        'access-control-request-method': 'PUT',
      });
      expect(headers.get('access-control-allow-origin')).not.toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  }
});
