import { describe, expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  ...{ required, properties },
});
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const done = (schema: object, ...others: number[]) => ({
  responses: {
    200: { description: 'Done', ...json(schema) },
    ...Object.fromEntries(others.map((status) => [status, { description: 'No' }])),
  },
});
const secured = { security: [{ token: [] }] };
const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };

const USER = object({ email: text, name: text, bio: text }, ['email', 'name']);
const SIGN_UP = object({ email: text, name: text, password: { ...text, writeOnly: true } });
const SIGN_IN = object({ email: text, password: text });
const TOKENS = object({
  access_token: text,
  refresh_token: text,
  expires_in: { type: 'integer' },
  token_type: text,
});

const paths = {
  '/auth/register': { post: { requestBody: json(SIGN_UP), ...done(USER, 400, 409) } },
  '/auth/login': { post: { requestBody: json(SIGN_IN), ...done(TOKENS, 400, 401) } },
  '/auth/refresh': {
    post: { requestBody: json(object({ refresh_token: text })), ...done(TOKENS, 401) },
  },
  '/auth/logout': { post: { ...secured, responses: { 204: { description: 'Done' } } } },
  '/users/me': {
    get: { ...secured, ...done(USER, 401) },
    patch: { ...secured, requestBody: json(object({ name: text, password: text }, [])), ...done(USER, 401) },
  },
};

const POST = object({ id: { type: 'integer', readOnly: true }, title: text, author: USER, owner: text }, [
  'id',
  'title',
]);
const POSTS = {
  '/posts': {
    get: done({ type: 'array', items: POST }),
    post: { ...secured, requestBody: json(object({ title: text })), ...done(POST) },
  },
};

const ANN = { email: 'ann@example.com', name: 'Ann', password: 'secret-123' };
const serve = (options = {}) => serveText(documentOf(paths, { components: { securitySchemes } }), options);
type Mock = Awaited<ReturnType<typeof serve>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const login = (mock: Mock, password = ANN.password, email = ANN.email) =>
  ask(mock, 'POST /auth/login', { email, password });
const me = async (mock: Mock, token: string) => ask(mock, 'GET /users/me', undefined, bearer(token));

describe('an account', () => {
  test('is registered once where the registration says what is unique, whatever is documented', async () => {
    const sign = { requestBody: json(SIGN_UP), ...done(USER), 'x-paddock': { unique: ['email'] } };
    const of = { ...paths, '/auth/register': { post: sign } };
    const mock = await serveText(documentOf(of, { components: { securitySchemes } }));
    const statuses = [];
    for (const name of ['Ann', 'Anna'])
      statuses.push((await ask(mock, 'POST /auth/register', { ...ANN, name })).status);
    expect(statuses).toEqual([200, 409]);
  });

  test('is registered once, logs in with its password, and is who its token names', async () => {
    const mock = await serve();
    expect(await ask(mock, 'POST /auth/register', ANN)).toMatchObject({
      status: 200,
      body: { email: ANN.email, name: 'Ann' },
    });
    expect((await ask(mock, 'POST /auth/register', ANN)).status).toBe(409);
    expect((await login(mock, 'another')).status).toBe(401);
    const { status, body } = await login(mock);
    expect([status, body.expires_in, body.token_type]).toEqual([200, 86_400, 'Bearer']);
    expect(await me(mock, body.access_token)).toMatchObject({
      status: 200,
      body: { email: ANN.email, name: 'Ann' },
    });
    expect((await me(mock, `${body.access_token}x`)).status).toBe(401);
    expect((await me(mock, body.refresh_token)).status).toBe(401);
  });

  test('of each of two is apart from that of the other', async () => {
    const mock = await serve();
    await ask(mock, 'POST /auth/register', ANN);
    await ask(mock, 'POST /auth/register', { ...ANN, email: 'ben@example.com', name: 'Ben' });
    const ann = (await login(mock)).body.access_token;
    const ben = (await login(mock, ANN.password, 'ben@example.com')).body.access_token;
    expect((await me(mock, ann)).body.name).toBe('Ann');
    expect((await me(mock, ben)).body.name).toBe('Ben');
  });

  test('is changed by who has its token, its password as well', async () => {
    const mock = await serve();
    await ask(mock, 'POST /auth/register', ANN);
    const token = (await login(mock)).body.access_token;
    const change = { name: 'Anne', password: 'other-456' };
    expect((await ask(mock, 'PATCH /users/me', change, bearer(token))).body.name).toBe('Anne');
    expect((await me(mock, token)).body.name).toBe('Anne');
    expect((await login(mock)).status).toBe(401);
    expect((await login(mock, 'other-456')).status).toBe(200);
  });

  test('is refused with the only status that its login has for that, but where it is about the form of requests', async () => {
    const [own, form] = [
      object({ message: text }),
      object({ detail: { type: 'array', items: object({ loc: { type: 'array' } }) } }),
    ];
    const refused = (schema: object) => {
      const { responses } = done(TOKENS);
      return { responses: { ...responses, 422: { description: 'No', ...json(schema) } } };
    };
    const statuses = [own, form].map(async (schema) => {
      const of = { ...paths, '/auth/login': { post: { requestBody: json(SIGN_IN), ...refused(schema) } } };
      return (await login(await serveText(documentOf(of, { components: { securitySchemes } })), 'wrong'))
        .status;
    });
    expect(await Promise.all(statuses)).toEqual([422, 401]);
  });

  test('gets other tokens for a refresh token, and none for another text', async () => {
    const mock = await serve();
    await ask(mock, 'POST /auth/register', ANN);
    const { refresh_token } = (await login(mock)).body;
    const { status, body } = await ask(mock, 'POST /auth/refresh', { refresh_token });
    expect(status).toBe(200);
    expect((await me(mock, body.access_token)).body.name).toBe('Ann');
    expect((await ask(mock, 'POST /auth/refresh', { refresh_token: 'a.b.c' })).status).toBe(401);
  });

  test('has no token any more that it logs out with', async () => {
    const mock = await serve();
    await ask(mock, 'POST /auth/register', ANN);
    const token = (await login(mock)).body.access_token;
    expect((await ask(mock, 'POST /auth/logout', undefined, bearer(token))).status).toBe(204);
    expect((await me(mock, token)).status).toBe(401);
  });

  test('gets no other token for a refresh token that it logs out with, and needs no other token for that', async () => {
    const logout = { requestBody: json(object({ refresh_token: text })), ...done(object({})) };
    const of = { ...paths, '/auth/logout': { post: logout } };
    const mock = await serveText(documentOf(of, { components: { securitySchemes } }));
    await ask(mock, 'POST /auth/register', ANN);
    const [first, second] = [(await login(mock)).body, (await login(mock)).body];
    await ask(mock, 'POST /auth/logout', { refresh_token: first.refresh_token });
    const refreshed = ({ refresh_token }: { refresh_token: string }) =>
      ask(mock, 'POST /auth/refresh', { refresh_token });
    expect((await refreshed(first)).status).toBe(401);
    expect((await refreshed(second)).status).toBe(200);
  });

  test('that nobody has registered has the built-in password; with any key, any', async () => {
    const mock = await serve();
    expect((await login(mock)).status).toBe(401);
    const { status, body } = await login(mock, 'paddock-dev-password');
    expect(status).toBe(200);
    expect((await me(mock, body.access_token)).body.email).toBe(ANN.email);
    const open = await serve({ apiKeys: 'any' });
    expect((await login(open)).status).toBe(200);
  });

  test('has no built-in password where keys of the user open the mock', async () => {
    const mock = await serve({ apiKeys: ['mine'] });
    expect((await login(mock, 'paddock-dev-password')).status).toBe(401);
    await ask(mock, 'POST /auth/register', ANN);
    expect((await login(mock)).status).toBe(200);
  });

  test('is the author of what it makes', async () => {
    const all = { ...paths, ...POSTS };
    const mock = await serveText(documentOf(all, { components: { securitySchemes } }));
    await ask(mock, 'POST /auth/register', ANN);
    const token = (await login(mock)).body.access_token;
    const { body } = await ask(mock, 'POST /posts', { title: 'A' }, bearer(token));
    expect(body).toMatchObject({ author: { email: ANN.email, name: 'Ann' }, owner: 'Ann' });
    expect((await ask(mock, 'GET /posts')).body.at(-1)).toEqual(body);
    const { body: other } = await ask(mock, 'POST /posts', { title: 'B' });
    expect(other).not.toHaveProperty('author.email', ANN.email);
  });

  test('of a record that is kept is shown as that is, without what only clients send', async () => {
    const kin = { type: 'object', properties: { name: text, secret: { ...text, writeOnly: true } } };
    const member = {
      ...SIGN_UP,
      properties: { ...SIGN_UP.properties, id: { type: 'integer', readOnly: true }, kin },
    };
    const members = {
      '/members': {
        get: done({ type: 'array', items: member }),
        post: { requestBody: json(member), ...done(member, 400) },
      },
      '/members/login': { post: { requestBody: json(SIGN_IN), ...done(TOKENS) } },
      '/me': { get: { ...secured, ...done(member, 401) } },
    };
    const mock = await serveText(documentOf(members, { components: { securitySchemes } }));
    const sent = { ...ANN, kin: { name: 'Ben', secret: 'x' } };
    const { body: shown } = await ask(mock, 'POST /members', sent);
    expect(shown).toEqual({ id: 51, email: ANN.email, name: 'Ann', kin: { name: 'Ben' } });
    // Without a documented response, a wrong password is still wrong.
    const wrong = { email: ANN.email, password: 'no' };
    expect((await ask(mock, 'POST /members/login', wrong)).status).toBe(401);
    const right = { email: ANN.email, password: ANN.password };
    const { body } = await ask(mock, 'POST /members/login', right);
    expect((await ask(mock, 'GET /me', undefined, bearer(body.access_token))).body).toEqual(shown);
  });
});

describe('an account that others make, with a password, below a team', () => {
  const schemas = { Member: object({ id: text, email: text, name: text }) };
  const MEMBER = { $ref: '#/components/schemas/Member' };
  const named = (name: string) => ({ name, in: 'path', required: true, schema: text });
  const of = {
    '/auth/register': paths['/auth/register'],
    '/sign-in': { post: { requestBody: json(object({ username: text, password: text })), ...done(TOKENS) } },
    '/teams/{teamId}/users': {
      parameters: [named('teamId')],
      get: done({ type: 'array', items: MEMBER }),
      post: { requestBody: json(SIGN_UP), ...done(MEMBER) },
    },
    '/teams/{teamId}/users/{userId}': {
      parameters: [named('teamId'), named('userId')],
      get: done(MEMBER, 404),
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  };
  const signIn = async (mock: Mock, username: string) =>
    (await ask(mock, 'POST /sign-in', { username, password: ANN.password })).status;

  test('logs in, whatever the login calls its name, until it is removed', async () => {
    const mock = await serveText(documentOf(of, { components: { schemas } }));
    const { body } = await ask(mock, 'POST /teams/red/users', ANN);
    expect([await signIn(mock, ANN.email), await signIn(mock, 'ben@example.com')]).toEqual([200, 401]);
    await ask(mock, `DELETE /teams/red/users/${body.id}`);
    expect(await signIn(mock, ANN.email)).toBe(401);
  });

  test('is listed with its team, though others register without one', async () => {
    const view = { parameters: [named('teamId')], get: done({ type: 'array', items: MEMBER }) };
    const mock = await serveText(
      documentOf({ ...of, '/staff/of-team/{teamId}': view }, { components: { schemas } }),
    );
    const { body } = await ask(mock, 'POST /teams/red/users', ANN);
    expect((await ask(mock, 'GET /staff/of-team/red')).body).toEqual([body]);
    expect((await ask(mock, 'GET /staff/of-team/blue')).body).toEqual([]);
  });
});

test('a reset forgets the accounts of the session, and of no other', async () => {
  const mock = await serve();
  const other = mock.session('other');
  const post = (path: string, body: object, session: { fetch: Mock['fetch'] }) =>
    session.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const one of [mock, other]) expect((await post('/auth/register', ANN, one)).status).toBe(200);
  await mock.reset();
  expect((await login(mock)).status).toBe(401);
  const { email, password } = ANN;
  expect((await post('/auth/login', { email, password }, other)).status).toBe(200);
});
