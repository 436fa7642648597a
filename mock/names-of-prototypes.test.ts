import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from './testing/serve.ts';

/** Names that every plain object has; unlike a literal, JSON makes a member of the first one. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const withName = (name: string, value: unknown, others: object = {}) =>
  JSON.parse(
    `{${[...Object.entries(others), [name, value]].map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`)}}`,
  );

function documentWith(name: string): Record<string, unknown> {
  const properties = withName(
    name,
    { type: 'string' },
    { id: { type: 'integer', readOnly: true }, b: { type: 'string' } },
  );
  const thing = { type: 'object', required: ['id'], properties };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const sent = (schema: object) => ({ description: 'Sent', ...json(schema) });
  const list = { 200: sent({ type: 'array', items: thing }) };
  const anId = (of: string) => ({ name: of, in: 'path', required: true, schema: { type: 'integer' } });
  const error = {
    description: 'An error',
    ...json({
      type: 'object',
      properties: withName(name, { type: 'object' }, { message: { type: 'string' } }),
    }),
  };
  const places = ['query', 'header', 'cookie'].map((place) => ({
    name,
    in: place,
    schema: { type: 'string' },
  }));
  return documentOf({
    '/things': {
      get: { operationId: 'list', parameters: places, responses: { ...list, default: error } },
      post: { requestBody: json(thing), responses: { 201: sent(thing), default: error } },
    },
    '/things/{id}': {
      parameters: [anId('id')],
      get: { responses: { 200: sent(thing), default: error } },
      patch: {
        requestBody: { content: { 'application/merge-patch+json': { schema: thing } } },
        responses: { 200: sent(thing), default: error },
      },
    },
    [`/teams/{${name}}/users`]: {
      parameters: [anId(name)],
      get: { responses: list },
      post: { requestBody: json(thing), responses: { 201: sent(thing) } },
    },
  });
}

test.each(NAMES)('%s is a name like any other: of parameters, members and rule headers', async (name) => {
  const bugs: unknown[] = [];
  const mock = await serveText(documentWith(name), { count: 3, onBug: (error) => bugs.push(error) });
  const all = (await ask(mock, 'GET /things')).body;
  expect(all).toHaveLength(3);
  expect((await ask(mock, 'GET /things?x=1', undefined, { [`${name}`]: 'nobody' })).status).toBe(200);
  expect((await ask(mock, 'GET /things/99')).status).toBe(404);

  // As members: stored, filtered by, merged.
  const made = await ask(mock, 'POST /things', withName(name, 'first', { b: 'x' }));
  expect(made.status).toBe(201);
  expect((await ask(mock, `GET /things?${name}=first`)).text).toBe(`[${made.text}]`);
  const patch = { 'content-type': 'application/merge-patch+json' };
  const patched = await ask(mock, `PATCH /things/${made.body.id}`, withName(name, 'second'), patch);
  expect(patched.text).toBe(made.text.replace('first', 'second'));

  // As a path parameter.
  expect((await ask(mock, 'GET /teams/1/users')).status).toBe(200);
  const user = await ask(mock, 'POST /teams/1/users', { b: 'y' });
  expect(user.status).toBe(201);
  expect((await ask(mock, 'GET /teams/1/users')).text).toContain(user.text);

  // As parts of a restored state.
  const state = await (await mock.fetch('http://localhost/__admin/state')).text();
  const restored = await mock.fetch('http://localhost/__admin/state', { method: 'PUT', body: state });
  expect({ status: restored.status, text: await restored.text() }).toMatchObject({ status: 204 });

  // As a rule's header, and in a condition.
  const rule = { operation: 'list', headers: withName(name, 'sent') };
  const added = await mock.fetch('http://localhost/__admin/answers', {
    method: 'POST',
    body: JSON.stringify(rule),
  });
  expect(added.status).toBe(201);
  const { headers, status } = await ask(mock, 'GET /things');
  expect(status).toBe(200);
  // Node's Headers cannot have this name.
  if (name !== '__proto__') expect(headers.get(name)).toBe('sent');
  await mock.fetch('http://localhost/__admin/answers', { method: 'DELETE' });
  mock.addRule({ operation: 'list', match: { headers: withName(name, 'x') }, status: 200, body: 'matched' });
  expect((await ask(mock, 'GET /things')).text).not.toContain('matched');
  expect(bugs).toEqual([]);
});
