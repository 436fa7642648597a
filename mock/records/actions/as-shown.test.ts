import { expect, test } from 'vitest';
import { ask, documentOf, misfits, serveText } from '../../testing/serve.ts';

const OWNER = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
};

/** The members in requests, and in records. */
const SENT = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    readers: { type: 'array', items: { type: 'string' } },
    size: { type: 'string' },
    code: { type: 'integer' },
    labels: { anyOf: [{ type: 'object' }, { type: 'string', enum: [''] }] },
    note: { type: ['string', 'null'] },
  },
};
const SHOWN = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', readOnly: true },
    owner: OWNER,
    readers: { type: 'array', items: OWNER },
    size: { type: 'integer' },
    code: { type: 'string' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    note: { type: 'string' },
  },
};

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (status: number) => ({ [status]: { description: 'It', ...json(SHOWN) } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const DOCUMENT = documentOf({
  '/folders': {
    get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: SHOWN }) } } },
    post: { operationId: 'add', requestBody: json(SENT), responses: answers(201) },
  },
  '/folders/{id}': {
    parameters: [id],
    get: { operationId: 'read', responses: answers(200) },
    put: {
      ...{ operationId: 'replace', 'x-paddock': { replace: true } },
      ...{ requestBody: json(SENT), responses: answers(200) },
    },
  },
});

test.each([
  ['an id, where the record is shown', { owner: 'ann' }, { owner: { id: 'ann' } }],
  ['several ids', { readers: ['ann', 'bob'] }, { readers: [{ id: 'ann' }, { id: 'bob' }] }],
  ['a number in a text', { size: '12' }, { size: 12 }],
  ['a text for a number', { code: 7 }, { code: '7' }],
  ['a text that is no number', { size: 'large' }, {}],
  ['an empty text for nothing', { labels: '' }, {}],
  ['null that is not shown', { note: null }, {}],
  ['what is shown as it is sent', { labels: { a: 'b' }, note: 'c' }, { labels: { a: 'b' }, note: 'c' }],
])('%s is taken, and shown as the record describes it', async (_, body, want) => {
  const mock = await serveText(DOCUMENT, { count: 1 });
  for (const [line, operation, status] of [
    ['POST /folders', 'add', 201],
    ['PUT /folders/1', 'replace', 200],
  ] as const) {
    const answer = await ask(mock, line, body);
    expect(answer).toMatchObject({ status, body: want });
    expect(misfits(mock, operation, answer)).toEqual([]);
    const { id: _id, ...members } = answer.body as Record<string, unknown>;
    expect(Object.keys(members).sort()).toEqual(Object.keys(want).sort());
  }
});

test('a record is taken out of the object that a body has around it, and shown within it again', async () => {
  const folder = (schema: object) => ({
    type: 'object',
    required: ['folder'],
    properties: { folder: schema },
  });
  const text = { type: 'string' };
  const record = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: text, name: text, note: text },
  };
  const sent = folder({ type: 'object', properties: { name: text, note: text } });
  const shown = (status: number) => ({ [status]: { description: 'It', ...json(folder(record)) } });
  const mock = await serveText(
    documentOf({
      '/folders': { post: { requestBody: json(sent), responses: shown(201) } },
      '/folders/{id}': {
        parameters: [{ ...id, schema: text }],
        get: { responses: shown(200) },
        put: { requestBody: json(sent), responses: shown(200) },
        patch: { requestBody: json(sent), responses: shown(200) },
      },
    }),
  );
  const made = await ask(mock, 'POST /folders', { folder: { name: 'a', note: 'b' } });
  const { folder: first } = made.body as { folder: { id: string } };
  expect(made).toMatchObject({ status: 201, body: { folder: { name: 'a', note: 'b' } } });
  const { id: own } = first;
  const patched = await ask(mock, `PATCH /folders/${own}`, { folder: { name: 'c' } });
  expect(patched.body).toEqual({ folder: { id: own, name: 'c', note: 'b' } });
  // The name is optional in the body, but required in the record.
  const replaced = await ask(mock, `PUT /folders/${own}`, { folder: { note: 'd' } });
  expect(replaced.body).toEqual({ folder: { id: own, name: 'c', note: 'd' } });
  expect((await ask(mock, `GET /folders/${own}`)).body).toEqual(replaced.body);
});

test('what only the response to a write has a place for is shown there, and nowhere else', async () => {
  const text = { type: 'string' };
  const object = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
  const lines = (line: object) => ({ type: 'array', items: object(line) });
  const record = object({ id: { type: 'integer' }, note: text });
  const sent = object({ note: text, lines: lines({ count: text }), secret: text });
  const made = object({ id: { type: 'integer' }, note: text, lines: lines({ count: { type: 'integer' } }) });
  const answers = (status: number, schema: object) => ({ [status]: { description: 'It', ...json(schema) } });
  const mock = await serveText(
    documentOf({
      '/receipts': { post: { requestBody: json(sent), responses: answers(201, made) } },
      '/receipts/{id}': {
        parameters: [id],
        get: { responses: answers(200, record) },
        patch: { requestBody: json(sent), responses: answers(200, made) },
      },
    }),
    { count: 0 },
  );
  const body = { note: 'a', lines: [{ count: '2' }], secret: 'b' };
  const { body: first } = await ask(mock, 'POST /receipts', body);
  expect(first).toEqual({ id: 1, note: 'a', lines: [{ count: 2 }] });
  expect((await ask(mock, 'GET /receipts/1')).body).toEqual({ id: 1, note: 'a' });
  expect((await ask(mock, 'PATCH /receipts/1', { lines: [] })).body).toEqual({ id: 1, note: 'a', lines: [] });
  expect((await ask(mock, 'PATCH /receipts/1', { note: 'c' })).body).toEqual({ id: 1, note: 'c' });
});

test('a response that says something else than records do is as it is described, and a create names the id', async () => {
  const message = { type: 'object', properties: { message: { type: 'string' } } };
  const done = { 200: { description: 'Folder saved', ...json(message) } };
  const mock = await serveText(
    documentOf({
      '/folders': {
        get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: SHOWN }) } } },
        post: { requestBody: json(SENT), responses: done },
      },
      '/folders/{id}': { parameters: [id], put: { requestBody: json(SENT), responses: done } },
    }),
  );
  const made = (await ask(mock, 'POST /folders', { note: 'a' })).body;
  expect(made).toEqual({ id: expect.any(Number), message: 'Folder saved' });
  const changed = await ask(mock, `PUT /folders/${made.id}`, { note: 'b' });
  expect(changed.body).toEqual({ message: 'Folder saved' });
  expect((await ask(mock, 'GET /folders')).body).toContainEqual({ id: made.id, note: 'b' });
});

test('a create shows the id of its record by the name that its own response has for it', async () => {
  const envelope = (properties: object) =>
    json({ type: 'object', properties: { data: { type: 'object', properties } } });
  const text = { type: 'string' };
  const seat = { type: 'object', required: ['id'], properties: { id: text, row: text, aisle: text } };
  const parameters = [{ name: 'seat_id', in: 'path', required: true, schema: text }];
  const mock = await serveText(
    documentOf({
      '/seats': {
        get: { responses: { 200: { description: '', ...json({ type: 'array', items: seat }) } } },
        post: {
          requestBody: json({ type: 'object', properties: { row: text } }),
          responses: { 201: { description: '', ...envelope({ seat_id: text, row: text, aisle: text }) } },
        },
      },
      '/seats/{seat_id}': { parameters, get: { responses: { 200: { description: '', ...json(seat) } } } },
    }),
  );
  const { body } = await ask(mock, 'POST /seats', { row: 'A' });
  const { data } = body as { data: { seat_id: string } };
  expect(await ask(mock, `GET /seats/${data.seat_id}`)).toMatchObject({
    status: 200,
    body: { id: data.seat_id },
  });
});
