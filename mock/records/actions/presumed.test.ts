import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const done = { responses: { 200: { description: 'Done' } } };
const id = [{ name: 'id', in: 'path', required: true, schema: number }];
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const SCHEMAS = {
  Toy: { type: 'object', required: ['id', 'name'], properties: { id: number, name: text } },
};

test('a POST asks in its body for a page, and for a text', async () => {
  const sent = { type: 'object', properties: { page: number, pageSize: number, keyword: text } };
  const paths = {
    '/toys': { post: { requestBody: json(ref('Toy')), ...answers(ref('Toy')) } },
    '/toys/{id}': { parameters: id, get: answers(ref('Toy')) },
    '/toys/page': {
      post: {
        'x-paddock': { view: '/toys' },
        requestBody: json(sent),
        ...answers({
          type: 'object',
          properties: { total: number, items: { type: 'array', items: ref('Toy') } },
        }),
      },
    },
  };
  const mock = await serveText(documentOf(paths, { components: { schemas: SCHEMAS } }));
  const { body } = await ask(mock, 'POST /toys/page', { page: 2, pageSize: 3 });
  expect(body).toMatchObject({ total: 50, items: [{ id: 4 }, { id: 5 }, { id: 6 }] });
  const { body: toy } = await ask(mock, 'POST /toys', { id: 77, name: 'xyzzy' });
  const found = await ask(mock, 'POST /toys/page', { page: 1, pageSize: 3, keyword: 'xyzzy' });
  expect(found.body).toEqual({ total: 1, items: [toy] });
});

test('where no body is described what is sent is kept, and a file is taken', async () => {
  const paths = {
    '/files': { get: done, post: done },
    '/files/{id}': { parameters: id, get: done, patch: done, delete: done },
    '/files/download/{id}': { parameters: id, get: done },
  };
  const mock = await serveText(documentOf(paths), { count: 1 });
  const { body: made } = await ask(mock, 'POST /files', { name: 'a.txt' });
  expect(made).toEqual({ id: 2, name: 'a.txt' });
  expect((await ask(mock, 'PATCH /files/2', { size: 3 })).body).toEqual({ ...made, size: 3 });
  expect((await ask(mock, 'GET /files')).body).toEqual([{ id: 1 }, { ...made, size: 3 }]);
  expect((await ask(mock, 'GET /files/download/2')).status).toBe(200);
  expect((await ask(mock, 'DELETE /files/2')).status).toBe(200);
  expect((await ask(mock, 'GET /files/download/2')).status).toBe(404);
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.of(0x89, 0xff, 0x00)]), 'a.png');
  const request = new Request('http://127.0.0.1/files', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const sent = { method: 'POST', headers, body: new Uint8Array(await request.arrayBuffer()) };
  const response = await mock.fetch('/files', sent);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 3 });
});

test('the body that a document forgets is taken for the record that is in the response', async () => {
  const toy = answers(ref('Toy'));
  const paths = {
    '/toys': { post: toy },
    '/toys/{id}': { parameters: id, get: toy, put: toy },
    '/kites/{id}': { parameters: id, get: toy, post: toy },
  };
  const mock = await serveText(documentOf(paths, { components: { schemas: SCHEMAS } }));
  const { body: made } = await ask(mock, 'POST /toys', { name: 'top' });
  expect(made).toMatchObject({ name: 'top' });
  expect((await ask(mock, `PUT /toys/${made.id}`, { name: 'ball' })).body.name).toBe('ball');
  expect((await ask(mock, `PUT /toys/${made.id}`)).body.name).toBe('ball');
  expect((await ask(mock, 'POST /kites/2', { name: 'red' })).body).toEqual({ id: 2, name: 'red' });
});

test('the id of an object in a record is that of the record, where it is said', async () => {
  const line = { type: 'object', properties: { toy: ref('Toy'), count: number } };
  const sent = { type: 'object', properties: { toyId: number, count: number } };
  const parameters = [{ name: 'toyId', in: 'path', required: true, schema: number }];
  const paths = {
    '/toys/{id}': { parameters: id, get: answers(ref('Toy')) },
    '/basket/lines': {
      get: { ...answers({ type: 'array', items: line }), 'x-paddock': { id: 'toy.id' } },
      post: { requestBody: json(sent), ...answers(line) },
    },
    '/basket/lines/{toyId}': {
      parameters,
      patch: { requestBody: json(sent), ...answers(line) },
      delete: done,
    },
  };
  const mock = await serveText(documentOf(paths, { components: { schemas: SCHEMAS } }), { count: 9 });
  const { body: made } = await ask(mock, 'POST /basket/lines', { toyId: 12, count: 2 });
  expect(made).toMatchObject({ toy: { id: 12, name: expect.any(String) }, count: 2 });
  const listed = (await ask(mock, 'GET /basket/lines')).body;
  expect(listed.map((one: { toy: { id: number } }) => one.toy.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 12]);
  expect((await ask(mock, 'PATCH /basket/lines/12', { count: 5 })).body).toEqual({ ...made, count: 5 });
  expect((await ask(mock, 'DELETE /basket/lines/12')).status).toBe(200);
  expect((await ask(mock, 'PATCH /basket/lines/12', { count: 5 })).status).toBe(404);
  const state = await mock.state();
  await mock.restore(state);
  expect((await ask(mock, 'GET /basket/lines')).body).toEqual(listed.slice(0, 9));
});

test('a form that is described as a text is taken', async () => {
  const form = { requestBody: { content: { 'multipart/form-data': { schema: text } } } };
  const paths = {
    '/toys': { post: { ...form, ...answers(ref('Toy')) } },
    '/toys/{id}': { parameters: id, get: answers(ref('Toy')) },
  };
  const mock = await serveText(documentOf(paths, { components: { schemas: SCHEMAS } }));
  const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nA\r\n--x--\r\n';
  const made = await ask(mock, 'POST /toys', body, { 'content-type': 'multipart/form-data; boundary=x' });
  expect(made).toMatchObject({ status: 200, body: { id: 51 } });
});

test('what is sent under the name of the path parameter is the id', async () => {
  const sent = { type: 'object', properties: { user_id: number } };
  const user = { type: 'object', properties: { id: number, name: text } };
  const parameters = [{ name: 'userID', in: 'path', required: true, schema: number }];
  const paths = {
    '/crew': {
      get: answers({ type: 'array', items: user }),
      post: { requestBody: json(sent), ...answers({ type: 'object', properties: { user_id: number } }) },
    },
    '/crew/{userID}': { parameters, delete: done },
  };
  const mock = await serveText(documentOf(paths), { count: 1 });
  expect((await ask(mock, 'POST /crew', { user_id: 7 })).status).toBe(200);
  expect((await ask(mock, 'GET /crew')).body.map((one: { id: number }) => one.id)).toEqual([1, 7]);
  expect((await ask(mock, 'DELETE /crew/7')).status).toBe(200);
  expect((await ask(mock, 'DELETE /crew/7')).status).toBe(404);
});

test('a record is called after its title where the service sets its slug; of two with one title once', async () => {
  const story = { type: 'object', required: ['slug', 'title'], properties: { slug: text, title: text } };
  const slug = [{ name: 'slug', in: 'path', required: true, schema: text }];
  const sent = { type: 'object', required: ['title'], properties: { title: text } };
  const paths = {
    '/stories': {
      get: answers({ type: 'array', items: story }),
      post: { requestBody: json(sent), ...answers(story) },
    },
    '/stories/{slug}': { parameters: slug, get: answers(story) },
  };
  const mock = await serveText(documentOf(paths));
  const { body } = await ask(mock, 'POST /stories', { title: 'Zoë says: hello, World!' });
  expect(body.slug).toBe('zoe-says-hello-world');
  expect((await ask(mock, 'GET /stories/zoe-says-hello-world')).body).toEqual(body);
  const again = await ask(mock, 'POST /stories', { title: 'Zoë says: hello, World!' });
  expect([again.status, again.body.slug === body.slug]).toEqual([200, false]);
});

test('what counts how often a flag is set follows it', async () => {
  const story = {
    type: 'object',
    required: ['id', 'favorited', 'favoritesCount'],
    properties: {
      id: number,
      favorited: { type: 'boolean' },
      favoritesCount: { type: 'integer', minimum: 0 },
    },
  };
  const paths = {
    '/stories': { get: answers({ type: 'array', items: story }) },
    '/stories/{id}': { parameters: id, get: answers(story) },
    '/stories/{id}/favorite': { parameters: id, post: answers(story), delete: answers(story) },
  };
  const mock = await serveText(documentOf(paths));
  await ask(mock, 'DELETE /stories/1/favorite');
  const { body: before } = await ask(mock, 'GET /stories/1');
  const liked = await ask(mock, 'POST /stories/1/favorite');
  expect(liked.body).toMatchObject({ favorited: true, favoritesCount: before.favoritesCount + 1 });
  expect((await ask(mock, 'POST /stories/1/favorite')).body).toEqual(liked.body);
  expect((await ask(mock, 'DELETE /stories/1/favorite')).body).toEqual(before);
});

test('a new record counts nothing yet, nothing has happened to it, and it is in its first state', async () => {
  const flag = { type: 'boolean' };
  const members = {
    ...{ id: number, title: text, likesCount: number, published: flag, enabled: flag },
    status: { type: 'string', enum: ['draft', 'open', 'closed'] },
    priority: { type: 'string', enum: ['low', 'high'] },
  };
  const story = { type: 'object', required: Object.keys(members), properties: members };
  const sent = { type: 'object', required: ['title'], properties: { title: text, status: text } };
  const paths = {
    '/stories': {
      get: answers({ type: 'array', items: story }),
      post: { requestBody: json(sent), ...answers(story) },
    },
  };
  const mock = await serveText(documentOf(paths));
  for (let count = 0; count < 5; count++) {
    const { body } = await ask(mock, 'POST /stories', { title: `${count}` });
    expect(body).toMatchObject({ likesCount: 0, published: false, status: 'draft' });
  }
  expect((await ask(mock, 'POST /stories', { title: 'A', status: 'open' })).body.status).toBe('open');
});

test('a login and a self whose responses are not described show a token and the account', async () => {
  const account = { type: 'object', properties: { email: text, name: text, password: text } };
  const secured = { security: [{ bearer: [] }] };
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
  const paths = {
    '/register': { post: { requestBody: json(account), ...done } },
    '/login': { post: { requestBody: json(account), ...done } },
    '/user_info': { get: { ...secured, ...done } },
    '/logout': { delete: { ...secured, ...done } },
  };
  const mock = await serveText(documentOf(paths, { components: { securitySchemes } }));
  const ann = { email: 'ann@example.com', name: 'Ann', password: 'pw-1' };
  expect((await ask(mock, 'POST /register', ann)).body).toMatchObject({ name: 'Ann' });
  const { body } = await ask(mock, 'POST /login', ann);
  const headers = { authorization: `Bearer ${body.token}` };
  const self = await ask(mock, 'GET /user_info', undefined, headers);
  expect(self.body).toMatchObject({ email: ann.email, name: 'Ann' });
  expect(self.body).not.toHaveProperty('password');
  await ask(mock, 'DELETE /logout', undefined, headers);
  expect((await ask(mock, 'GET /user_info', undefined, headers)).status).toBe(401);
});

test('what is made by an administrator is shown to everybody, and settings stay, where no response is described', async () => {
  const toy = { type: 'object', properties: { name: text } };
  const paths = {
    '/admin/toys': { get: done, post: { requestBody: json(toy), ...done } },
    '/admin/toys/{id}': { parameters: id, put: { requestBody: json(toy), ...done }, delete: done },
    '/toys': { get: done },
    '/toys/{id}': { parameters: id, get: done },
    '/admin/theme': {
      get: done,
      patch: { requestBody: json({ type: 'object', properties: { dark: text } }), ...done },
    },
  };
  const mock = await serveText(documentOf(paths), { count: 2 });
  const { body: made } = await ask(mock, 'POST /admin/toys', { name: 'Kite' });
  expect((await ask(mock, `GET /toys/${made.id}`)).body).toEqual({ id: 3, name: 'Kite' });
  expect((await ask(mock, 'GET /toys')).body).toContainEqual(made);
  await ask(mock, 'PUT /admin/toys/3', { name: 'Top' });
  expect((await ask(mock, 'GET /toys/3')).body.name).toBe('Top');
  await ask(mock, 'DELETE /admin/toys/3');
  expect((await ask(mock, 'GET /toys/3')).status).toBe(404);
  await ask(mock, 'PATCH /admin/theme', { dark: 'yes' });
  expect((await ask(mock, 'GET /admin/theme')).body).toEqual({ dark: 'yes' });
});
