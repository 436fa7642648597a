import { expect, test } from 'vitest';
import { ask, SHIPPED, serve } from '../testing/serve.ts';

const page = { authorization: '', origin: 'https://page.example' };

test.each(['/pets', '/pets/1', '/nothing'])('a preflight for %s needs no key', async (path) => {
  const mock = await serve(SHIPPED);
  const { status, headers, text } = await ask(mock, `OPTIONS ${path}`, undefined, {
    ...page,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-own',
  });
  expect({ status, text }).toEqual({ status: 204, text: '' });
  expect(headers.get('access-control-allow-origin')).toBe(page.origin);
  expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-own');
  expect(headers.get('access-control-allow-methods')).toContain(path === '/pets/1' ? 'GET' : 'POST');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('vary')?.split(', ')).toContain('Origin');
});

test('a preflight for a method that is not offered passes, so that a page can read the 405', async () => {
  const mock = await serve(SHIPPED);
  const preflight = async (method: string) => {
    const sent = { ...page, 'access-control-request-method': method };
    return (await ask(mock, 'OPTIONS /pets', undefined, sent)).headers.get('access-control-allow-methods');
  };
  expect(await preflight('PATCH')).toBe('GET, POST, HEAD, OPTIONS, PATCH');
  expect(await preflight('GET')).toBe('GET, POST, HEAD, OPTIONS');
  expect(await preflight('a b')).toBe('GET, POST, HEAD, OPTIONS');
});

test('requests of no page get the same bytes, and no origin', async () => {
  const { headers } = await ask(await serve(SHIPPED), 'GET /pets');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
  expect(headers.get('vary')).toBe('Origin');
});

test("a rule's own header stays: what a page sees without CORS can be tried out", async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ headers: { 'access-control-allow-origin': 'https://other.example' } });
  const { headers } = await ask(mock, 'GET /pets', undefined, { origin: page.origin });
  expect(headers.get('access-control-allow-origin')).toBe('https://other.example');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
});

test('header names that are none are not repeated', async () => {
  const { headers } = await ask(await serve(SHIPPED), 'OPTIONS /pets', undefined, {
    ...page,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'a;b, "c"',
  });
  expect(headers.has('access-control-allow-headers')).toBe(false);
});

test('pages may reach this machine from the network', async () => {
  const { headers } = await ask(await serve(SHIPPED), 'OPTIONS /pets', undefined, {
    ...page,
    'access-control-request-method': 'GET',
    'access-control-request-private-network': 'true',
  });
  expect(headers.get('access-control-allow-private-network')).toBe('true');
});

test.each<[string, { given: string; want: number; headers?: Record<string, string> }]>([
  ['a good answer', { given: 'GET /pets/1', want: 200, headers: {} }],
  ['a 401', { given: 'GET /pets', want: 401, headers: { authorization: '' } }],
  ['a 404', { given: 'GET /pets/4711', want: 404 }],
  ['a path that is not documented', { given: 'GET /nothing', want: 404 }],
  ['a 405', { given: 'DELETE /pets', want: 405 }],
  ['a session that cannot be', { given: 'GET http://localhost/~a%20b/v1/pets', want: 400 }],
])('%s can be read by any page, with its headers', async (_, { given, want, headers: sent }) => {
  const { status, headers } = await ask(await serve(SHIPPED), given, undefined, {
    origin: page.origin,
    ...sent,
  });
  expect(status).toBe(want);
  expect(headers.get('access-control-allow-origin')).toBe(page.origin);
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('vary')?.split(', ')).toContain('Origin');
  const exposed = headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['Sunset', 'Link', 'WWW-Authenticate', 'Allow']));
});

test('OPTIONS that is no preflight names the methods', async () => {
  const { status, headers } = await ask(await serve(SHIPPED), 'OPTIONS /pets', undefined, {
    authorization: '',
  });
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 204, allow: 'GET, POST, HEAD, OPTIONS' });
});
