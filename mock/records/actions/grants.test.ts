import { describe, expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const form = (schema: object) => ({
  requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } },
});
const answers = (schema: object, others: Record<number | string, string> = {}) => ({
  responses: {
    200: { description: 'Successful Response', ...json(schema) },
    ...Object.fromEntries(Object.entries(others).map(([key, description]) => [key, { description }])),
  },
});

/** Like FastAPI's `OAuth2PasswordRequestForm`. */
const PASSWORD_FORM = {
  type: 'object',
  required: ['username', 'password'],
  properties: {
    grant_type: { anyOf: [{ type: 'string', pattern: '^password$' }, { type: 'null' }] },
    username: text,
    password: { ...text, format: 'password' },
    scope: { ...text, default: '' },
    client_id: { anyOf: [text, { type: 'null' }] },
    client_secret: { anyOf: [text, { type: 'null' }] },
  },
};
const TOKEN_FORM = {
  type: 'object',
  required: ['grant_type'],
  properties: Object.fromEntries(
    [
      'grant_type',
      'code',
      'client_id',
      'client_secret',
      'refresh_token',
      'scope',
      'username',
      'password',
    ].map((name) => [name, text]),
  ),
};
const TOKEN = {
  type: 'object',
  required: ['access_token', 'token_type'],
  properties: {
    access_token: text,
    token_type: { ...text, enum: ['bearer'] },
    expires_in: { type: 'integer' },
    refresh_token: text,
    scope: text,
  },
};
const USER = {
  type: 'object',
  required: ['id', 'email'],
  properties: { id: { type: 'integer' }, email: { ...text, format: 'email' }, full_name: text },
};
const OAUTH_ERROR = { type: 'object', properties: { error: text, error_description: text } };

const secured = { security: [{ login: [] }] };
const components = {
  securitySchemes: {
    login: { type: 'oauth2', flows: { password: { tokenUrl: 'login/access-token', scopes: {} } } },
  },
};
const paths = {
  '/login/access-token': { post: { ...form(PASSWORD_FORM), ...answers({}, { 422: 'Validation Error' }) } },
  '/token': {
    post: {
      ...form(TOKEN_FORM),
      responses: {
        200: { description: 'Tokens', ...json(TOKEN) },
        400: { description: 'An error', ...json(OAUTH_ERROR) },
      },
    },
  },
  '/strict': { post: { ...form(PASSWORD_FORM), ...answers(TOKEN, { 401: 'Unauthorized' }) } },
  '/users/me': { get: { ...secured, ...answers(USER, { 401: 'No' }) } },
  '/reports': {
    get: { security: [{ login: ['reports:read'] }], ...answers({ type: 'array', items: text }) },
  },
};

const serve = () => serveText(documentOf(paths, { components }));
type Mock = Awaited<ReturnType<typeof serve>>;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (mock: Mock, path: string, fields: Record<string, string>, headers = {}) =>
  ask(mock, `POST ${path}`, new URLSearchParams(fields).toString(), { ...FORM, ...headers });
const get = (mock: Mock, path: string, token: string) =>
  ask(mock, `GET ${path}`, undefined, { authorization: `Bearer ${token}` });

describe('a token endpoint', () => {
  test('of FastAPI gives a token to whoever it is, with the members of the RFC where no schema names any', async () => {
    const mock = await serve();
    const { status, body, headers } = await post(mock, '/login/access-token', {
      username: 'ann@example.com',
      password: 'whatever',
    });
    expect([status, body.token_type, body.expires_in]).toEqual([200, 'Bearer', 86_400]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await get(mock, '/users/me', body.access_token)).body.email).toBe('ann@example.com');
    const { body: again } = await post(mock, '/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    expect((await get(mock, '/users/me', again.access_token)).body.email).toBe('ann@example.com');
  });

  test('knows the records of a collection, and gives anybody else an id', async () => {
    const users = { '/users/': { get: answers({ type: 'array', items: USER }) } };
    const mock = await serveText(documentOf({ ...paths, ...users }, { components }));
    const me = async (username: string) => {
      const { body } = await post(mock, '/strict', { username, password: 'paddock-dev-password' });
      return (await get(mock, '/users/me', body.access_token)).body;
    };
    const [, seeded] = (await ask(mock, 'GET /users/')).body;
    expect(await me(seeded.email)).toMatchObject(seeded);
    expect((await me('ann@example.com')).id).not.toBe((await me('ben@example.com')).id);
  });

  const password = { username: 'ann', password: 'paddock-dev-password' };
  const wrong = { username: 'ann', password: 'wrong' };
  const grants: [string, { path?: string; given: Record<string, string>; want: object }][] = [
    ['a password', { given: { grant_type: 'password', ...password }, want: { token_type: 'bearer' } }],
    ['a wrong password', { given: { grant_type: 'password', ...wrong }, want: { error: 'invalid_grant' } }],
    [
      'a wrong refresh token',
      { given: { grant_type: 'refresh_token', refresh_token: 'x.y.z' }, want: { error: 'invalid_grant' } },
    ],
    ['any code', { given: { grant_type: 'authorization_code', code: 'x' }, want: { expires_in: 86_400 } }],
    [
      'a scope',
      { given: { grant_type: 'client_credentials', client_id: 'a', scope: 'a b' }, want: { scope: 'a b' } },
    ],
    ['a password without the grant', { path: '/strict', given: password, want: { token_type: 'bearer' } }],
  ];
  test.each(grants)('%s', async (_, { path = '/token', given, want }) => {
    const mock = await serve();
    const { status, body } = await post(mock, path, given);
    expect(body).toMatchObject(want);
    expect(status).toBe('error' in want ? 400 : 200);
  });

  test('refuses a wrong password with 401 where only that is documented', async () => {
    const mock = await serve();
    expect((await post(mock, '/strict', wrong)).status).toBe(401);
  });

  test('gives a program no refresh token, and no scope that it has not asked for', async () => {
    const mock = await serve();
    const basic = { authorization: `Basic ${btoa('my-app:secret')}` };
    const { body } = await post(mock, '/token', { grant_type: 'client_credentials' }, basic);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    expect(JSON.parse(atob(body.access_token.split('.')[1])).sub).toBe('my-app');
  });

  test('gives a token that is good for what was asked for', async () => {
    const mock = await serve();
    const tokenFor = async (scope: string) =>
      (await post(mock, '/token', { grant_type: 'password', ...password, scope })).body.access_token;
    expect((await get(mock, '/reports', await tokenFor('reports:read'))).status).toBe(200);
    expect((await get(mock, '/reports', await tokenFor('reports:write'))).status).toBe(403);
    expect((await get(mock, '/reports', await tokenFor(''))).status).toBe(200);
  });
});

describe('a token', () => {
  const given = { grant_type: 'password', username: 'ann', password: 'paddock-dev-password' };

  test('is over when it says so, by the clock of the session; a refresh token gives another one', async () => {
    const mock = await serve();
    const { body } = await post(mock, '/token', given);
    await mock.setClock(new Date(Date.now() + (body.expires_in - 60) * 1000));
    expect((await get(mock, '/users/me', body.access_token)).status).toBe(200);
    await mock.setClock(new Date(Date.now() + (body.expires_in + 60) * 1000));
    expect((await get(mock, '/users/me', body.access_token)).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const { body: again } = await post(mock, '/token', refresh);
    expect((await get(mock, '/users/me', again.access_token)).status).toBe(200);
  });

  const expiries: [string, object, (value: unknown) => unknown, unknown][] = [
    ['expiresIn', { type: 'integer' }, (value) => value, 86_400],
    ['expiresIn', text, (value) => value, '86400'],
    ['expiresIn', { type: 'integer', description: 'in milliseconds' }, (value) => value, 86_400_000],
    ['expires_at', { ...text, format: 'date-time' }, (value) => value, '2030-01-02T00:00:00.000Z'],
    ['expiresAt', { type: 'integer' }, (value) => value, Date.UTC(2030, 0, 2) / 1000],
    ['refresh_expires_in', { type: 'integer' }, (value) => value, 2_592_000],
  ];
  test.each(expiries)('%s beside it, as %j', async (name, schema, read, want) => {
    const login = {
      '/login': {
        post: {
          requestBody: json({ type: 'object', properties: { email: text, password: text } }),
          ...answers({
            type: 'object',
            required: ['token', name],
            properties: { token: text, [name]: schema },
          }),
        },
      },
    };
    const mock = await serveText(documentOf(login), { now: '2030-01-01' });
    const { body } = await ask(mock, 'POST /login', { email: 'a@b.c', password: 'x' });
    const exact =
      name === 'expires_at' ? String(body[name]).replace(/:\d\d\.\d{3}Z/, ':00.000Z') : body[name];
    const value = read(exact);
    if (name === 'expiresAt') expect(Math.abs(Number(value) - Number(want))).toBeLessThan(60);
    else expect(value).toBe(want);
  });
});
