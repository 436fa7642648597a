import { expect, test } from 'vitest';
import { readContract } from '../contract.ts';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { accountOperation, needsNoCredential } from './accounts.ts';
import { sessionCookie } from './credentials.ts';

const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const sends = (...names: string[]) => ({ requestBody: json(object(...names)) });
const answers = (...names: string[]) => ({
  responses: { 200: { description: 'Done', ...(names.length > 0 && json(object(...names))) } },
});
const secured = { security: [{ login: [] }] };
const cookie = { 'Set-Cookie': { schema: { type: 'string' }, example: 'SID=31d4; Path=/' } };
const setting = { responses: { 204: { description: 'Done', headers: cookie } } };
const components = {
  securitySchemes: {
    login: { type: 'http', scheme: 'bearer' },
    oauth: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://id.example.com/connect/issue', scopes: {} } },
    },
  },
};

/** One schema of what is sent and of what is shown. */
const PAIR = {
  type: 'object',
  properties: {
    username: { type: 'string', writeOnly: true },
    password: { type: 'string', writeOnly: true },
    access: { type: 'string', readOnly: true },
  },
};

async function operationOf(line: string, operation: object) {
  const [method = '', path = ''] = line.toLowerCase().split(' ');
  const document = documentOf({ [path]: { [method]: operation } }, { components });
  return (await contractOf({ 'a.json': document })).operations;
}

test.each<[string, object, string | undefined]>([
  ['POST /login', { ...sends('email', 'password'), ...answers('token') }, 'login'],
  ['POST /login', { ...sends('auth', 'password'), ...answers() }, 'login'],
  ['POST /auth/login', { ...secured, ...setting }, 'login'],
  ['POST /users', { ...sends('email', 'password'), ...answers('id') }, 'register'],
  ['POST /token', { ...sends('grant_type', 'username', 'password'), ...answers() }, 'grant'],
  ['POST /token', { ...sends('grantType', 'code'), ...answers('access_token') }, 'grant'],
  ['POST /connect/issue', { ...sends('client_id', 'client_secret'), ...answers('access_token') }, 'grant'],
  ['POST /refresh', { ...sends('refresh_token'), ...answers('access_token') }, 'refresh'],
  ['POST /token/refresh', { ...sends('refresh'), ...answers('access') }, 'refresh'],
  ['POST /jwt/create', { ...sends('email', 'password'), ...answers('access', 'refresh') }, 'login'],
  [
    'POST /jwt/create',
    { requestBody: json(PAIR), responses: { 200: { description: 'Done', ...json(PAIR) } } },
    'login',
  ],
  ['POST /customer', { ...sends('email', 'password'), ...answers('id') }, 'register'],
  ['POST /logout', { ...secured, ...answers() }, 'logout'],
  ['POST /login', { ...sends('password', 'name'), ...answers('jwt_token') }, 'login'],
  ['GET /users/me', { ...secured, ...answers('email') }, 'current'],
  ['DELETE /users/me', { ...secured, ...answers() }, 'current'],
  ['POST /gate/open', { ...secured, ...sends('password'), ...answers('token') }, 'login'],
  ['POST /articles', { ...sends('title'), ...answers('title') }, undefined],
  ['POST /registration', { ...sends('username', 'password1', 'password2'), ...answers('key') }, 'register'],
  ['POST /auth/refresh', { ...sends('refresh_token'), ...answers() }, 'refresh'],
  [
    'POST /auth/change-password',
    { ...secured, ...sends('password', 'newPassword'), ...answers() },
    'current',
  ],
  ['GET /user_info', { ...secured, ...answers() }, 'current'],
  ['PUT /update_user', { ...secured, ...sends('email'), ...answers() }, 'current'],
  ['GET /auth', { ...secured, ...answers('id', 'email') }, 'current'],
])('%s, which has %j', async (line, operation, want) => {
  const [one] = await operationOf(line, operation);
  expect(one && accountOperation(one)?.role).toBe(want);
});

test('the login may take a query, is below what registers, and shows a key; without any scheme there is a self', async () => {
  const document = documentOf({
    '/usuarios': { post: { ...sends('email', 'password', 'nombre'), ...answers('id') } },
    '/usuarios/login': {
      post: {
        parameters: ['login', 'password'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
        ...answers('key'),
      },
    },
    '/usuarios/current': { get: answers('email') },
  });
  const { operations } = await contractOf({ 'a.json': document });
  expect(operations.map((one) => accountOperation(one)?.role)).toEqual(['register', 'login', 'current']);
  expect(operations[1] && accountOperation(operations[1])).toMatchObject({
    ...{ identities: ['login'], password: 'password', tokens: [['key']] },
  });
});

test.each([
  [['pin', 'device'], ['token'], true],
  [['pin', 'device'], ['balance'], false],
  [['title'], ['token'], false],
])('what takes %j for %j needs no credential: %s', async (taken, given, want) => {
  const [one] = await operationOf('POST /gate', { ...secured, ...sends(...taken), ...answers(...given) });
  expect(one && needsNoCredential(one)).toBe(want);
});

test('a token endpoint whose response is not described has the members of the RFC', async () => {
  const [one] = await operationOf('POST /token', {
    ...sends('grant_type'),
    responses: { 200: { description: 'a', ...json({}) } },
  });
  expect(one && accountOperation(one)?.tokens).toEqual([['access_token'], ['refresh_token']]);
});

test('the cookie of a login is that of the example, where no scheme names one', async () => {
  expect(sessionCookie(await operationOf('POST /login', { ...secured, ...setting }))?.name).toBe('SID');
  expect(sessionCookie(await operationOf('POST /login', answers()))).toBeUndefined();
});

test('of a new and an old password the account has the new one from now on', async () => {
  const sent = sends('email', 'old_password', 'newPassword');
  const [one] = await operationOf('PATCH /users/me', { ...secured, ...sent, ...answers('email') });
  expect(one && accountOperation(one)?.password).toBe('newPassword');
});

test('nobody has a credential before the login; what is said wins', async () => {
  const secret = { type: 'object', properties: { email: { type: 'string' }, password: { type: 'string' } } };
  const content = { 'application/json': { schema: secret } };
  const enter = (said: object) => ({
    post: { 'x-paddock': said, requestBody: { content }, responses: { 200: { description: 'In.' } } },
  });
  const { operations } = await readContract(
    {
      openapi: '3.1.0',
      info: { title: '', version: '1' },
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'key' } } },
      paths: {
        '/login': enter({}),
        '/sessions': enter({ may: { everybody: false } }),
        '/notes': enter({}),
        '/open': enter({ may: { everybody: true } }),
      },
    },
    'a.json',
  );
  expect(operations.map((one) => [one.path, needsNoCredential(one)])).toEqual([
    ['/login', true],
    ['/sessions', false],
    ['/notes', false],
    ['/open', true],
  ]);
});
