import { describe, expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

describe('PUT, PATCH and DELETE', () => {
  test('a replaced record has the members of the body only', async () => {
    const mock = await serve(fixture('warehouse.yaml'));
    const body = { label: 'Nut', unit: 'piece', price: 0.5, barcode: null };
    const replaced = await ask(mock, 'PUT /articles/1', body);
    expect(replaced).toMatchObject({ status: 200, body: { article_no: 1, ...body, stock: 0 } });
    expect(replaced.body).not.toHaveProperty('weight_g');
    expect((await ask(mock, 'GET /articles/1')).text).toBe(replaced.text);
    expect((await ask(mock, 'PUT /articles/999', body)).status).toBe(404);
  });

  test('a merge patch changes, adds and takes away (RFC 7396)', async () => {
    const mock = await serve(fixture('libraries.yaml'));
    const [library] = (await ask(mock, 'GET /libraries')).body;
    const books = `/libraries/${library.id}/books`;
    const { body: book } = await ask(mock, `POST ${books}`, { title: 'A', language: 'da', pages: 10 });
    const type = { 'content-type': 'application/merge-patch+json' };
    const changed = await ask(
      mock,
      `PATCH ${books}/${book.id}`,
      { title: 'B', pages: null, isbn: '9780000000001' },
      type,
    );
    expect(changed.body).toEqual({ id: book.id, title: 'B', language: 'da', isbn: '9780000000001' });
    expect((await ask(mock, `GET ${books}/${book.id}`)).text).toBe(changed.text);
  });

  test('a plain patch takes the place of the members that it names', async () => {
    const note = {
      type: 'object',
      required: ['id', 'text'],
      properties: {
        id: { type: 'integer', readOnly: true },
        text: { type: 'string' },
        size: { type: ['integer', 'null'] },
      },
    };
    const content = { 'application/json': { schema: note } };
    const ok = { 200: { description: 'The note', content } };
    const patch = {
      type: 'object',
      properties: { text: { type: 'string' }, size: { type: ['integer', 'null'] } },
    };
    const mock = await serveText(
      documentOf({
        '/notes/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { responses: ok },
          patch: { requestBody: { content: { 'application/json': { schema: patch } } }, responses: ok },
        },
      }),
    );
    const { body: before } = await ask(mock, 'GET /notes/2');
    expect((await ask(mock, 'PATCH /notes/2', { size: null })).body).toEqual({ ...before, size: null });
    expect((await ask(mock, 'PATCH /notes/2', { text: 'x', id: 9 })).body).toEqual({
      ...before,
      text: 'x',
      size: null,
    });
  });

  test('a removed record is not found', async () => {
    const mock = await serve(fixture('warehouse.yaml'));
    const removed = await ask(mock, 'DELETE /articles/3');
    expect(removed).toMatchObject({ status: 204, text: '' });
    expect((await ask(mock, 'GET /articles/3')).status).toBe(404);
    expect((await ask(mock, 'DELETE /articles/3')).status).toBe(404);
    expect((await ask(mock, 'GET /articles')).body).toMatchObject({ total_count: 49 });
  });
});

describe('one of several forms', () => {
  test('what is never shown again is not, and each form keeps its own members', async () => {
    const mock = await serve(fixture('notices/openapi.yaml'));
    const hook = {
      channel: 'hook',
      subject: 'Water',
      topics: ['water'],
      from: '2031-03-01',
      url: 'https://a.example/',
      secret: 'twelve-letters',
    };
    const created = await ask(mock, 'POST /orders', { ...hook, phone: '+4512345678' });
    expect(misfits(mock, 'placeOrder', created)).toEqual([]);
    const { secret, ...shown } = hook;
    expect(created.body).toEqual({ id: expect.any(String), ordered: expect.any(String), ...shown });
    expect((await ask(mock, `GET /orders/${created.body.id}`)).text).toBe(created.text);
    const mail = {
      channel: 'mail',
      subject: 'Water',
      topics: ['water'],
      from: '2031-03-01',
      address: 'a@b.example',
    };
    const replaced = await ask(mock, `PUT /orders/${created.body.id}`, mail);
    expect(replaced.body).toEqual({ id: created.body.id, ordered: created.body.ordered, ...mail });
    expect(created.text).not.toContain(secret);
  });
});

const text = { type: 'string' };
const number = { type: 'integer' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const takes = (properties: object) => ({ requestBody: json({ type: 'object', properties }) });
const id = [{ name: 'id', in: 'path', required: true, schema: number }];
const CARD = {
  type: 'object',
  properties: {
    id: number,
    deck: { ...number, readOnly: true },
    status: { enum: ['new', 'known'] },
    is_starred: { type: 'boolean' },
    enabled: { type: 'boolean' },
  },
};
const CARDS = {
  '/cards': { post: { ...takes({ deck: number, status: text }), ...answers(CARD) } },
  '/cards/{id}': {
    parameters: id,
    get: answers(CARD),
    put: { ...takes({ status: text }), ...answers(CARD) },
    delete: answers({
      type: 'object',
      properties: { done: { type: 'boolean' }, error: { type: 'boolean' } },
    }),
  },
};
/** Actions on a card, by paths below it. */
const below = (methods: object) =>
  Object.fromEntries(
    Object.entries(methods).map(([path, item]) => [`/cards/{id}/${path}`, { parameters: id, ...item }]),
  );

test('what a request may write is kept, though only responses call it read-only', async () => {
  const mock = await serveText(documentOf(CARDS));
  const { body: made } = await ask(mock, 'POST /cards', { deck: 7, status: 'new' });
  expect(made).toMatchObject({ deck: 7, status: 'new' });
  const put = await ask(mock, `PUT /cards/${made.id}`, { deck: 8, status: 'known' });
  expect(put.body).toMatchObject({ deck: 7, status: 'known' });
});

test('a removal is answered with the record only where that is described', async () => {
  const mock = await serveText(documentOf(CARDS));
  const { body } = await ask(mock, 'DELETE /cards/3');
  expect(Object.keys(body).sort()).not.toContain('id');
  expect(body.done).not.toBe(false);
});

test('an action changes the member that its path names', async () => {
  const paths = {
    ...CARDS,
    ...below({
      status: {
        patch: {
          parameters: [{ name: 'status', in: 'query', schema: text }],
          ...answers(CARD),
        },
        put: { ...takes({ status: text }), ...answers({ type: 'object' }) },
      },
      star: { post: answers(CARD), delete: answers(CARD) },
      disable: { post: answers(CARD) },
      shuffle: { post: answers(CARD) },
    }),
  };
  const mock = await serveText(documentOf(paths));
  const { body: made } = await ask(mock, 'POST /cards', { deck: 7, status: 'new' });
  const card = `/cards/${made.id}`;
  expect((await ask(mock, `PATCH ${card}/status?status=known`)).body.status).toBe('known');
  await ask(mock, `PUT ${card}/status`, { status: 'new' });
  expect((await ask(mock, `GET ${card}`)).body.status).toBe('new');
  expect((await ask(mock, `PUT ${card}/status`, { status: 'no status' })).status).toBe(200);
  expect((await ask(mock, `POST ${card}/star`)).body).toMatchObject({ status: 'new', is_starred: true });
  expect((await ask(mock, `DELETE ${card}/star`)).body.is_starred).toBe(false);
  expect((await ask(mock, `POST ${card}/disable`)).body.enabled).toBe(false);
  const { body } = await ask(mock, `POST ${card}/shuffle`);
  expect(body).toEqual({ ...made, is_starred: false, enabled: false });
  expect((await ask(mock, 'POST /cards/999/star')).status).toBe(404);
});

test('where any id names a record, something can be done to it before it is read', async () => {
  const paths = {
    '/cards/{id}': { parameters: id, get: answers(CARD) },
    ...below({ star: { post: answers(CARD) } }),
  };
  const mock = await serveText(documentOf(paths));
  expect((await ask(mock, 'POST /cards/7/star')).body).toMatchObject({ id: 7, is_starred: true });
  expect((await ask(mock, 'GET /cards/7')).body).toMatchObject({ id: 7, is_starred: true });
});

test('a created record is inside of the object around it, though its schema there has no id', async () => {
  const members = { deck: number, status: text, later: { type: 'boolean' } };
  const data = { type: 'object', properties: { ...members, is_starred: text } };
  const post = {
    ...takes({ ...members, is_starred: { type: 'boolean' } }),
    ...answers({ type: 'object', properties: { data } }),
  };
  const get = answers({ type: 'object', properties: { data: CARD } });
  const mock = await serveText(documentOf({ '/cards': { post }, '/cards/{id}': { parameters: id, get } }));
  const sent = { deck: 7, status: 'new', later: true };
  const { body } = await ask(mock, 'POST /cards', { ...sent, is_starred: true });
  expect(body).toEqual({ data: { id: 51, ...sent } });
});

describe('where a request says what it changes in no body of its own path', () => {
  const Boat = {
    type: 'object',
    required: ['name'],
    properties: {
      id: number,
      name: text,
      status: { enum: ['in', 'out'] },
      crew: { type: 'array', items: CARD },
    },
  };
  const boat = { $ref: '#/components/schemas/Boat' };
  const paths = {
    '/boat': {
      put: { requestBody: json(boat), ...answers(boat) },
      post: { requestBody: json(boat), ...answers(boat) },
    },
    '/boat/createWithList': { post: { requestBody: json({ type: 'array', items: boat }), ...answers(boat) } },
    '/boat/{id}': {
      parameters: id,
      get: answers(boat),
      post: {
        parameters: ['name', 'status', 'id', 'crew'].map((name) => ({ name, in: 'query', schema: text })),
        ...answers(boat),
      },
    },
  };

  test('PUT replaces the record whose id the body has, also where the record has a list', async () => {
    const mock = await serveText(documentOf(paths, { components: { schemas: { Boat } } }));
    const body = { id: 3, name: 'Nova', crew: [{ id: 1 }] };
    expect((await ask(mock, 'PUT /boat', body)).body).toEqual(body);
    expect((await ask(mock, 'GET /boat/3')).body).toEqual(body);
    expect((await ask(mock, 'PUT /boat', { ...body, id: 999 })).status).toBe(404);
    expect((await ask(mock, 'PUT /boat', { name: 'Nova' })).status).toBe(400);
    expect((await ask(mock, 'PUT /boat')).status).toBe(400);
  });

  test('parameters of the query that bear the names of members change these', async () => {
    const mock = await serveText(documentOf(paths, { components: { schemas: { Boat } } }));
    expect((await ask(mock, 'POST /boat/3?name=Zeta&status=out')).body).toMatchObject({
      id: 3,
      name: 'Zeta',
    });
    expect((await ask(mock, 'GET /boat/3')).body).toMatchObject({ id: 3, name: 'Zeta', status: 'out' });
    expect((await ask(mock, 'POST /boat/3?status=sunk')).status).toBe(400);
    const { body } = await ask(mock, 'PUT /boat', { id: 3, name: 'Zeta', status: 'out', crew: [{ id: 1 }] });
    expect((await ask(mock, 'POST /boat/3?crew=everybody')).body).toEqual(body);
    expect((await ask(mock, 'GET /boat/3')).body).toMatchObject({ name: 'Zeta', status: 'out' });
  });

  test('of a list that is absent nothing is made', async () => {
    const mock = await serveText(documentOf(paths, { components: { schemas: { Boat } } }));
    expect((await ask(mock, 'POST /boat/createWithList')).status).toBe(200);
    const made = await ask(mock, 'POST /boat/createWithList', [
      { id: 70, name: 'A' },
      { id: 71, name: 'B' },
    ]);
    expect(made.body).toEqual({ id: 71, name: 'B' });
  });
});
