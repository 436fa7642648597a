import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const done = (schema: object, forbidden?: string) => ({
  200: { description: 'Done', ...json(schema) },
  404: { description: 'Not found' },
  ...(forbidden !== undefined && { 403: { description: forbidden } }),
});
const security = [{ token: [] }];
const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };

interface Asking {
  readonly role?: object;
  readonly operation?: object;
  readonly forbidden?: string;
}

const ROLE = { role: { ...text, enum: ['admin', 'editor', 'user'] } };

/** Accounts with roles, articles with authors, and an operation with a requirement. */
function documentWith({ role = ROLE, operation = {}, forbidden = 'Forbidden' }: Asking) {
  const user = object({ id: { type: 'integer' }, email: text, ...role });
  const article = object({
    id: { type: 'integer', readOnly: true },
    title: text,
    author: object({ email: text }),
  });
  const title = json(object({ title: text }));
  const credentials = object({ email: text, password: text });
  const signUp = { ...credentials, properties: { ...credentials.properties, ...role } };
  return documentOf(
    {
      '/register': { post: { requestBody: json(signUp), responses: done(user) } },
      '/login': {
        post: { requestBody: json(credentials), responses: done(object({ token: text, user })) },
      },
      '/articles': {
        get: { responses: done({ type: 'array', items: article }) },
        post: { security, requestBody: title, responses: done(article) },
      },
      '/articles/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: done(article) },
        put: { security, requestBody: title, responses: done(article, forbidden) },
      },
      '/reports': {
        get: { security, ...operation, responses: done(object({ all: text }), forbidden) },
      },
    },
    { components },
  );
}

type Mock = Awaited<ReturnType<typeof serveText>>;

async function tokenOf(mock: Mock, email: string, body: object = {}) {
  await ask(mock, 'POST /register', { email, password: 'x', ...body });
  const { token } = (await ask(mock, 'POST /login', { email, password: 'x' })).body;
  return { authorization: `Bearer ${token}` };
}

const cases: [string, Asking & { email?: string; body?: object; want: number }][] = [
  ['nothing but a 403', { want: 200 }],
  ['for admins, in the 403', { forbidden: 'Admins only', want: 403 }],
  ['for admins, in the summary', { operation: { summary: 'Only an administrator may' }, want: 403 }],
  ['for admins, in brackets', { operation: { summary: 'All reports (admin)' }, want: 403 }],
  ['for admins, in an extension', { operation: { 'x-required-role': 'admin' }, want: 403 }],
  ['a word without a demand', { operation: { summary: 'Reports for the admin panel' }, want: 200 }],
  [
    'for admins, of a flag',
    { role: { is_admin: { type: 'boolean' } }, forbidden: 'Not an admin', want: 403 },
  ],
  [
    'for admins, of a list',
    { role: { roles: { type: 'array', items: text } }, forbidden: 'Admin', want: 403 },
  ],
  ['for admins, where accounts have no roles', { role: {}, forbidden: 'Admins only', want: 200 }],
  ['an admin by the body', { forbidden: 'Admins only', body: { role: 'admin' }, want: 200 }],
  ['an editor', { forbidden: 'Editors only', body: { role: 'editor' }, want: 200 }],
  ['an admin, for editors', { forbidden: 'Editors only', body: { role: 'admin' }, want: 200 }],
  ['an editor, for admins', { forbidden: 'Admins only', body: { role: 'editor' }, want: 403 }],
  ['an admin by the name', { forbidden: 'Admins only', email: 'admin@example.com', want: 200 }],
];
test.each(cases)('an operation, %s', async (_, { email = 'ann@example.com', body, want, ...asking }) => {
  const mock = await serveText(documentWith(asking));
  const account = await tokenOf(mock, email, body);
  expect((await ask(mock, 'GET /reports', undefined, account)).status).toBe(want);
  expect((await ask(mock, 'GET /reports')).status).toBe(200);
});

test('somebody new has the least of the roles', async () => {
  const mock = await serveText(documentWith({}));
  const { body } = await ask(mock, 'POST /login', {
    email: 'ann@example.com',
    password: 'paddock-dev-password',
  });
  expect(body.user.role).toBe('user');
});

test('a record is changed by who has made it, and by admins, where the document says so', async () => {
  const mock = await serveText(documentWith({ forbidden: 'You are not the author of this article' }));
  const ann = await tokenOf(mock, 'ann@example.com');
  const ben = await tokenOf(mock, 'ben@example.com');
  const admin = await tokenOf(mock, 'admin@example.com');
  const { id } = (await ask(mock, 'POST /articles', { title: 'A' }, ann)).body;
  const change = async (by: Record<string, string>, line = `PUT /articles/${id}`) =>
    (await ask(mock, line, { title: 'B' }, by)).status;
  expect(await change(ben)).toBe(403);
  expect(await change(ann)).toBe(200);
  expect(await change(admin)).toBe(200);
  expect(await change({})).toBe(200);
  expect(await change(ben, 'PUT /articles/987654')).toBe(404);
});

test('a record is anybody’s where the document does not say so', async () => {
  const mock = await serveText(documentWith({}));
  const ann = await tokenOf(mock, 'ann@example.com');
  expect((await ask(mock, 'PUT /articles/1', { title: 'B' }, ann)).status).toBe(200);
});
