import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const json = (properties: object) => ({
  content: {
    'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } },
  },
});
const done = { 204: { description: 'Done' } };
const setting = (example?: string) => ({
  204: {
    description: 'Done',
    headers: { 'Set-Cookie': { schema: { ...text, ...(example && { example }) } } },
  },
});
const CREDENTIALS = { requestBody: json({ email: text, password: text }) };

const schemes: [string, { scheme: object; responses?: object; want: string }][] = [
  ['of a security scheme', { scheme: { type: 'apiKey', in: 'cookie', name: 'sid' }, want: 'sid' }],
  [
    'of an example',
    {
      scheme: { type: 'http', scheme: 'bearer' },
      responses: setting('JSESSIONID=abc123; Path=/; HttpOnly'),
      want: 'JSESSIONID',
    },
  ],
  ['of no name', { scheme: { type: 'apiKey', in: 'header', name: 'Cookie' }, want: 'session' }],
];
test.each(schemes)('a login sets the cookie %s, which is taken until a logout', async (_, given) => {
  const { scheme, responses = done, want } = given;
  const secured = { security: [{ login: [] }] };
  const paths = {
    '/login': { post: { ...CREDENTIALS, responses } },
    '/logout': { post: { ...secured, responses: done } },
    '/me': { get: { ...secured, responses: { 200: { description: 'Who', ...json({ email: text }) } } } },
  };
  const components = { securitySchemes: { login: scheme } };
  const mock = await serveText(documentOf(paths, { components }));
  const login = await ask(mock, 'POST /login', { email: 'ann@example.com', password: 'x' });
  const set = login.headers.get('set-cookie') ?? '';
  expect(set).toMatch(new RegExp(`^${want}=[\\w.-]+; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400$`));
  const headers = { authorization: '', cookie: `other=1; ${set.split(';')[0]}` };
  expect((await ask(mock, 'GET /me', undefined, headers)).body.email).toBe('ann@example.com');
  const { headers: cleared } = await ask(mock, 'POST /logout', undefined, headers);
  expect(cleared.get('set-cookie')).toBe(`${want}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`);
  expect((await ask(mock, 'GET /me', undefined, headers)).status).toBe(401);
});

test('a login with the credential of HTTP Basic sets the cookie for its user', async () => {
  const basic = [{ basic: [] }];
  const paths = {
    '/auth/login': { post: { security: basic, responses: setting() } },
    '/me': {
      get: { security: basic, responses: { 200: { description: 'Who', ...json({ username: text }) } } },
    },
  };
  const components = { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } };
  const mock = await serveText(documentOf(paths, { components }));
  const authorization = `Basic ${btoa('ann:paddock-dev-key')}`;
  const { headers } = await ask(mock, 'POST /auth/login', undefined, { authorization });
  const cookie = String(headers.get('set-cookie')).split(';')[0] as string;
  expect((await ask(mock, 'GET /me', undefined, { authorization: '', cookie })).status).toBe(200);
  expect((await ask(mock, 'GET /me', undefined, { authorization: '', cookie: 'session=x' })).status).toBe(
    401,
  );
});

test('a document that knows of no cookie sets none', async () => {
  const paths = { '/login': { post: { ...CREDENTIALS, responses: done } } };
  const { headers } = await ask(await serveText(documentOf(paths)), 'POST /login', {
    email: 'a@b.c',
    password: 'x',
  });
  expect(headers.get('set-cookie')).toBeNull();
});
