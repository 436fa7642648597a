import { expect, test } from 'vitest';
import { ask, documentOf, misfits, serveText } from '../../testing/serve.ts';

const OWNER = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
};

/** What requests have, and what records show. */
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
    put: { operationId: 'replace', requestBody: json(SENT), responses: answers(200) },
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
