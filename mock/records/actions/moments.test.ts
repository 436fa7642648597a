import { describe, expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const NOW = Date.UTC(2031, 4, 6, 7, 8, 9, 10);
const LATER = NOW + 86_400_000;
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const text = { type: 'string' };
const integer = { type: 'integer' };

async function serveNotes(properties: object, time: () => number) {
  const note = {
    type: 'object',
    required: ['id', 'title', ...Object.keys(properties)],
    properties: { id: { type: 'integer', readOnly: true }, title: text, ...properties },
  };
  const sent = { type: 'object', required: ['title'], properties: { title: text } };
  const id = [{ name: 'id', in: 'path', required: true, schema: integer }];
  const write = { requestBody: json(sent), ...answers(note) };
  const paths = {
    '/notes': { get: answers({ type: 'array', items: note }), post: write },
    '/notes/{id}': { parameters: id, get: answers(note), put: write, patch: write },
  };
  return serveText(documentOf(paths), { time });
}

describe('a posted record is made now, in the form of the member', () => {
  const table: readonly (readonly [name: string, schema: object, want: unknown])[] = [
    ['createdAt', { ...text, format: 'date-time' }, '2031-05-06T07:08:09.010Z'],
    ['created_at', text, '2031-05-06T07:08:09.010Z'],
    ['dateCreated', { ...text, format: 'date' }, '2031-05-06'],
    ['created', { ...text, example: '2020-01-02' }, '2031-05-06'],
    ['created', { ...text, example: '2020-01-02 03:04:05' }, '2031-05-06 07:08:09'],
    ['createdAt', { ...text, pattern: '^[\\d-]+T[\\d:]+Z$' }, '2031-05-06T07:08:09Z'],
    ['timestamp', { ...integer, format: 'int64' }, Math.floor(NOW / 1000)],
    ['creation_date', { ...integer, example: 1700000000000 }, NOW],
    ['created', { ...integer, description: 'Milliseconds since 1970' }, NOW],
    [
      'created_at',
      { anyOf: [{ ...text, format: 'date-time' }, { type: 'null' }] },
      '2031-05-06T07:08:09.010Z',
    ],
    ['updatedAt', { ...text, format: 'date-time' }, '2031-05-06T07:08:09.010Z'],
    ['lastModified', { ...text, format: 'date-time' }, '2031-05-06T07:08:09.010Z'],
    ['deletedAt', { type: ['string', 'null'], format: 'date-time' }, null],
    ['completed_at', { type: ['integer', 'null'] }, null],
  ];
  test.for(table)('%s %j', async ([name, schema, want]) => {
    const mock = await serveNotes({ [name]: schema }, () => NOW);
    const { body } = await ask(mock, 'POST /notes', { title: 'A' });
    expect(body[name]).toBe(want);
  });
});

test('a changed record notes when, and stays made when it was; a session has its own clock', async () => {
  let now = NOW;
  const moment = { ...text, format: 'date-time' };
  const mock = await serveNotes({ createdAt: moment, updatedAt: moment }, () => now);
  const { body: made } = await ask(mock, 'POST /notes', { title: 'A' });
  now = LATER;
  const updatedAt = new Date(LATER).toISOString();
  for (const method of ['PUT', 'PATCH']) {
    const { body } = await ask(mock, `${method} /notes/${made.id}`, { title: method });
    expect(body).toEqual({ ...made, title: method, updatedAt });
  }
  await mock.setClock(new Date('2040-01-01T00:00:00Z'));
  expect((await ask(mock, 'POST /notes', { title: 'B' })).body.createdAt).toMatch(/^2040-01-01T00:00:0/);
});
