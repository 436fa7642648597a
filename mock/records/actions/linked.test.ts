import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const list = (name: string) => answers({ type: 'array', items: ref(name) });
const within = (name: string, schema: object) => [{ name, in: 'path', required: true, schema }];

const schemas = {
  Author: object({ id: integer, name: text, subscribed: flag }),
  Photo: object({ id: integer, title: text, liked: flag, likes: integer, authorId: integer, album: text }),
};
const secured = { security: [{ token: [] }] };
const sent = object({ title: text, authorId: integer, album: text });
const paths = {
  '/login': {
    post: {
      requestBody: json(object({ login: text, password: text })),
      ...answers(object({ token: text })),
    },
  },
  '/authors': { get: list('Author') },
  '/authors/{id}': { parameters: within('id', integer), get: answers(ref('Author')) },
  '/authors/{id}/subscribe': {
    parameters: within('id', integer),
    post: { ...secured, ...answers(ref('Author')) },
  },
  '/photos': {
    get: { parameters: [{ name: 'liked', in: 'query', schema: flag }], ...list('Photo') },
    post: { requestBody: json(sent), ...answers(ref('Photo')) },
  },
  '/photos/mine': {
    get: { ...secured, ...list('Photo'), 'x-paddock': { view: '/photos', where: { authorId: '$account' } } },
  },
  '/photos/of-rome': {
    get: { ...list('Photo'), 'x-paddock': { view: '/photos', where: { album: 'Rome' } } },
  },
  '/names': {
    get: {
      ...answers({ type: 'array', items: text }),
      'x-paddock': { values: '/photos', in: { values: 'title' } },
    },
  },
  '/photos/timeline': {
    get: { ...secured, ...list('Photo'), 'x-paddock': { where: { authorId: '$followed' } } },
  },
  '/photos/albums': { get: answers({ type: 'array', items: text }) },
  '/photos/{id}': { parameters: within('id', integer), get: answers(ref('Photo')) },
  '/photos/{id}/likes': {
    parameters: within('id', integer),
    put: { ...secured, ...answers(ref('Photo')) },
    delete: { ...secured, ...answers(ref('Photo')) },
  },
  '/users/{login}/likes': { parameters: within('login', text), get: list('Photo') },
  '/me/liked': { get: { ...secured, ...list('Photo') } },
};
const components = { schemas, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };

test('what accounts do each for itself selects in views, filters and timelines', async () => {
  const mock = await serveText(documentOf(paths, { components }), { count: 5 });
  const tokens = new Map<string, Record<string, string>>();
  for (const login of ['ann', 'bob']) {
    const { body } = await ask(mock, 'POST /login', { login, password: 'paddock-dev-password' });
    tokens.set(login, { authorization: `Bearer ${body.token}` });
  }
  const as = (login: string, line: string) => ask(mock, line, undefined, tokens.get(login));
  const idsOf = (photos: { id: number }[]) => photos.map(({ id }) => id);
  const { likes } = (await ask(mock, 'GET /photos/2')).body;
  expect((await as('ann', 'PUT /photos/2/likes')).body).toMatchObject({ liked: true, likes: likes + 1 });
  expect((await as('bob', 'PUT /photos/2/likes')).body).toMatchObject({ liked: true, likes: likes + 2 });
  await as('bob', 'PUT /photos/4/likes');
  expect(idsOf((await as('ann', 'GET /photos?liked=true')).body)).toEqual([2]);
  expect(idsOf((await as('ann', 'GET /photos?liked=false')).body)).toEqual([1, 3, 4, 5]);
  expect(idsOf((await ask(mock, 'GET /users/bob/likes')).body)).toEqual([2, 4]);
  expect((await ask(mock, 'GET /users/nobody/likes')).body).toEqual([]);
  expect(idsOf((await as('bob', 'GET /me/liked')).body)).toEqual([2, 4]);
  await as('bob', 'DELETE /photos/2/likes');
  expect(idsOf((await as('bob', 'GET /me/liked')).body)).toEqual([4]);

  for (const authorId of [3, 4]) await ask(mock, 'POST /photos', { title: 'A', authorId, album: 'Rome' });
  expect((await as('ann', 'GET /photos/timeline')).body).toEqual([]);
  expect((await as('ann', 'POST /authors/3/subscribe')).body).toMatchObject({ id: 3, subscribed: true });
  const shown = (await as('ann', 'GET /photos/timeline')).body;
  expect(shown.every(({ authorId }: { authorId: number }) => authorId === 3)).toBe(true);
  expect(idsOf(shown)).toContain(6);
  expect((await as('bob', 'GET /authors/3')).body.subscribed).toBe(false);

  await mock.reset();
  expect((await as('bob', 'GET /me/liked')).body).toEqual([]);
});

test('what is said of a list holds of all that it shows', async () => {
  const mock = await serveText(documentOf(paths, { components }), { count: 0 });
  for (const album of ['Rome', 'Oslo', 'Rome'])
    await ask(mock, 'POST /photos', { title: album.toUpperCase(), authorId: 1, album });
  expect((await ask(mock, 'GET /photos/of-rome')).body.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
  expect((await ask(mock, 'GET /photos/mine')).body).toEqual([]);
  expect((await ask(mock, 'GET /names')).body).toEqual(['ROME', 'OSLO']);
});

test('a list of texts shows the values that records have, the most frequent first', async () => {
  const mock = await serveText(documentOf(paths, { components }), { count: 2 });
  const seeded = (await ask(mock, 'GET /photos')).body.map(({ album }: { album: string }) => album);
  expect((await ask(mock, 'GET /photos/albums')).body).toEqual([...new Set(seeded)]);
  for (const album of ['Oslo', 'Rome', 'Rome', 'Rome'])
    await ask(mock, 'POST /photos', { title: 'A', authorId: 1, album });
  const { body } = await ask(mock, 'GET /photos/albums');
  expect(body[0]).toBe('Rome');
  expect(body).toEqual(expect.arrayContaining([...seeded, 'Oslo']));
});
