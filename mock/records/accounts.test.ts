import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mock } from '../index.ts';
import { ask, documentOf, serve, serveText } from '../testing/serve.ts';
import { accountCases, COOKS, withStore } from './accounts.cases.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'paddock-accounts-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const stateOf = async (mock: Mock, session = '') =>
  (await mock.fetch(`http://localhost/__admin/state?session=${session}`)).text();

describe('in memory, by a saved state', () =>
  accountCases(async () => ({
    mock: await serve(COOKS),
    async restart(mock) {
      const sessions = ['', 'guest'];
      const states = await Promise.all(sessions.map((session) => stateOf(mock, session)));
      expect(states.join()).not.toContain('secret-1');
      const next = await serve(COOKS);
      for (const [index, session] of sessions.entries()) {
        const url = `http://localhost/__admin/state?session=${session}`;
        const { status } = await next.fetch(url, { method: 'PUT', body: states[index] as string });
        expect(status).toBe(204);
      }
      return next;
    },
  })));

describe('in a file', () => accountCases(() => withStore(`file:${join(folder(), 'records.db')}`)));

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => {
  return { type: 'object', required, properties };
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const done = (schema: object, others: Record<number, string> = {}) => ({
  responses: {
    200: { description: 'Done', ...json(schema) },
    ...Object.fromEntries(Object.entries(others).map(([status, description]) => [status, { description }])),
  },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const byId = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const security = [{ token: [] }];
const change = json(object({ email: text, name: text, bio: text, password: text }, []));
const gone = { security, responses: { 204: { description: 'Gone' }, 404: { description: 'None' } } };

/** Users who are created, listed and changed like other records, and notes whose owners have various names. */
const NOTES = documentOf(
  {
    '/users': {
      get: done({ type: 'array', items: ref('User') }),
      post: {
        requestBody: json(
          object({ email: text, name: text, password: text, passwordRepeated: text }, [
            'email',
            'name',
            'password',
          ]),
        ),
        ...done(ref('User'), { 409: 'The e-mail address is taken' }),
      },
    },
    '/users/me': {
      get: { security, ...done(ref('User'), { 401: 'Who?' }) },
      patch: { security, requestBody: change, ...done(ref('User'), { 409: 'Taken' }) },
      delete: gone,
    },
    '/users/{id}': {
      parameters: byId,
      get: done(ref('User'), { 404: 'None' }),
      put: { security, requestBody: change, ...done(ref('User'), { 404: 'None' }) },
      delete: gone,
    },
    '/login': {
      post: {
        requestBody: json(object({ email: text, password: text })),
        ...done(object({ token: text }), { 401: 'Wrong password' }),
      },
    },
    '/logout': { post: { security, responses: { 204: { description: 'Done' } } } },
    '/notes': {
      get: done({ type: 'array', items: ref('Note') }),
      post: { security, requestBody: json(object({ text })), ...done(ref('Note')) },
    },
    '/notes/{id}': {
      parameters: byId,
      get: done(ref('Note'), { 404: 'None' }),
      delete: {
        security,
        responses: {
          204: { description: 'Gone' },
          403: { description: 'Not your own' },
          404: { description: 'None' },
        },
      },
    },
    '/secrets': {
      get: done({ type: 'array', items: ref('Secret') }),
      post: { security, requestBody: json(object({ text })), ...done(ref('Secret')) },
    },
    '/secrets/{id}': {
      parameters: byId,
      get: done(ref('Secret'), { 404: 'None' }),
      delete: {
        security,
        responses: {
          204: { description: 'Gone' },
          403: { description: 'Not your own' },
          404: { description: 'None' },
        },
      },
    },
  },
  {
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        User: object({ id: { type: 'integer', readOnly: true }, email: text, name: text, bio: text }, [
          'id',
          'email',
          'name',
        ]),
        Note: object({
          ...{ id: { type: 'integer', readOnly: true }, text, owner: text },
          author: object({ id: { type: 'integer' }, name: text }),
        }),
        Secret: object({ id: { type: 'integer', readOnly: true }, text }),
      },
    },
  },
);

async function people() {
  const mock = await serveText(NOTES);
  const login = (email: string, password: string) => ask(mock, 'POST /login', { email, password });
  const register = (email: string, name = 'Ann') =>
    ask(mock, 'POST /users', { email, name, password: `of-${email}`, passwordRepeated: `of-${email}` });
  const as = async (email: string, password = `of-${email}`) => {
    const { token } = (await login(email, password)).body;
    return (line: string, body?: unknown) => ask(mock, line, body, { authorization: `Bearer ${token}` });
  };
  await register('ann@example.com');
  await register('ben@example.com');
  const [ann, ben] = [await as('ann@example.com'), await as('ben@example.com')];
  return { mock, login, register, as, ann, ben };
}

describe('an account and its record are one', () => {
  test('which is listed, and shown as it is', async () => {
    const { mock, ann } = await people();
    const { body } = await ann('GET /users/me');
    expect(body).toEqual({ id: 51, email: 'ann@example.com', name: 'Ann' });
    expect((await ask(mock, 'GET /users/51')).body).toEqual(body);
    expect((await ask(mock, 'GET /users')).body).toContainEqual(body);
  });

  test('which records that the account has made show, and those of a namesake do not', async () => {
    const { mock, ann, ben } = await people();
    const made = (await ann('POST /notes', { text: 'A' })).body;
    const other = (await ben('POST /notes', { text: 'B' })).body;
    expect(made).toMatchObject({ owner: 'Ann', author: { id: 51, name: 'Ann' } });
    await ann('PATCH /users/me', { name: 'Anna' });
    expect((await ask(mock, 'GET /users/51')).body.name).toBe('Anna');
    expect((await ask(mock, `GET /notes/${made.id}`)).body).toMatchObject({
      ...{ owner: 'Anna', author: { id: 51, name: 'Anna' } },
    });
    expect((await ask(mock, `GET /notes/${other.id}`)).body).toEqual(other);
  });

  test('which others change: it logs in with what they have set', async () => {
    const { mock, login, register, as, ann } = await people();
    const { id } = (await ann('POST /notes', { text: 'A' })).body;
    await ann('PATCH /users/me', { bio: 'Stays' });
    const sent = { email: 'anna@example.com', name: 'Anna', password: 'new-password' };
    expect((await ask(mock, 'PUT /users/51', sent)).status).toBe(200);
    const { email, name } = sent;
    expect((await ann('GET /users/me')).body).toEqual({ id: 51, email, name, bio: 'Stays' });
    expect((await ask(mock, `GET /notes/${id}`)).body.author).toEqual({ id: 51, name: 'Anna' });
    expect((await login('ann@example.com', 'new-password')).status).toBe(401);
    expect((await login(sent.email, 'of-ann@example.com')).status).toBe(401);
    expect((await login(sent.email, 'new-password')).status).toBe(200);
    // The former name is free.
    expect((await register('ann@example.com', 'Another')).status).toBe(200);
    expect((await (await as('ann@example.com'))('GET /users/me')).body).toMatchObject({
      id: 53,
      name: 'Another',
    });
    expect((await ann('GET /users/me')).body.id).toBe(51);
    expect((await ann('PATCH /users/me', { email: 'ben@example.com' })).status).toBe(409);
  });

  test.each(['DELETE /users/me', 'DELETE /users/51'])('%s removes both', async (line) => {
    const { mock, login, register, as, ann, ben } = await people();
    expect((await ann(line)).status).toBe(204);
    expect((await ask(mock, 'GET /users/51')).status).toBe(404);
    expect((await ann('GET /users/me')).status).toBe(401);
    expect((await login('ann@example.com', 'of-ann@example.com')).status).toBe(401);
    expect((await ben('GET /users/me')).status).toBe(200);
    expect((await register('ann@example.com')).status).toBe(200);
    expect((await (await as('ann@example.com'))('GET /users/me')).body.id).toBe(53);
    expect((await ann('GET /users/me')).status).toBe(401);
  });

  test('of a seeded record anybody logs in with what everybody has', async () => {
    const { mock, as } = await people();
    const { email } = (await ask(mock, 'GET /users/1')).body;
    const seeded = await as(email, 'paddock-dev-password');
    expect((await seeded('PATCH /users/me', { name: 'Seeded' })).body).toMatchObject({ id: 1, email });
    expect((await ask(mock, 'GET /users/1')).body.name).toBe('Seeded');
  });
});

test('who has made a record alone removes it, whether or not it says who that is', async () => {
  const { ann, ben } = await people();
  for (const path of ['/notes', '/secrets']) {
    const { id } = (await ann(`POST ${path}`, { text: 'A' })).body;
    expect((await ben(`DELETE ${path}/${id}`)).status).toBe(403);
    expect((await ann(`DELETE ${path}/${id}`)).status).toBe(204);
  }
});

test('what each account has changed of itself no other one sees', async () => {
  const { ann, ben } = await people();
  await ann('PATCH /users/me', { bio: 'Of Ann alone' });
  expect((await ben('GET /users/me')).body).not.toMatchObject({ bio: 'Of Ann alone' });
});

test('a token of a logout is good for nothing, after a restart neither; no state shows a password', async () => {
  const { mock, login, ann } = await people();
  const tokenOf = async (name: string) =>
    (await login(`${name}@example.com`, `of-${name}@example.com`)).body.token;
  const [left, stays] = [await tokenOf('ann'), await tokenOf('ben')];
  const who = (token: string) => ({ authorization: `Bearer ${token}` });
  await ask(mock, 'POST /logout', undefined, who(left));
  // An unauthenticated client learns nothing about the body.
  expect((await ask(mock, 'POST /notes', {}, who(left))).status).toBe(401);
  expect((await ann('GET /users/me')).status).toBe(200);
  const state = await stateOf(mock);
  expect(state).not.toContain('of-ann@');
  const next = await serveText(NOTES);
  const url = 'http://localhost/__admin/state';
  expect((await next.fetch(url, { method: 'PUT', body: state })).status).toBe(204);
  expect(await stateOf(next)).toBe(state);
  expect((await ask(next, 'GET /users/me', undefined, who(left))).status).toBe(401);
  expect((await ask(next, 'GET /users/me', undefined, who(stays))).body.id).toBe(52);
});

test('a state with what is no account is refused with its place', async () => {
  const { mock } = await people();
  const put = (records: object) =>
    mock.fetch('http://localhost/__admin/state', { method: 'PUT', body: JSON.stringify({ records }) });
  for (const records of [{ '~accounts': [{ subject: 'ann' }] }, { '~links': [{ account: 'ann' }] }]) {
    const response = await put(records);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('must be an object with');
  }
});
