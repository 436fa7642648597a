import { expect, test } from 'vitest';
import { isRecord } from '#spec';
import type { Mock } from '../../index.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const BYTES = { type: 'string', format: 'binary' };
const ORDER = {
  type: 'object',
  required: ['id', 'note'],
  properties: { id: { type: 'integer', readOnly: true }, note: { type: 'string' } },
};

const answers = (type: string, schema: unknown = BYTES, more: object = {}) => ({
  get: {
    summary: 'Überblick (2024)',
    responses: { 200: { description: 'ok', content: { [type]: { schema } }, ...more } },
  },
});

async function bytesOf(mock: Mock, path: string, headers: Record<string, string> = {}) {
  const response = await mock.fetch(path, { headers });
  return { type: response.headers.get('content-type'), bytes: new Uint8Array(await response.arrayBuffer()) };
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test.each([
  ['image/png', '\x89PNG\r\n\x1a\n', 'IEND\xaeB`\x82'],
  ['image/*', '<svg ', '</svg>'],
  ['image/jpeg', '\xff\xd8\xff', '\xff\xd9'],
  ['image/gif', 'GIF8', ';'],
  ['image/webp', 'RIFF', ''],
  ['image/svg+xml', '<svg ', '</svg>'],
  ['application/pdf', '%PDF-1.4\n', '%%EOF\n'],
  ['application/zip', 'PK\x05\x06', ''],
  ['application/gzip', '\x1f\x8b', ''],
  ['audio/*', '\xff\xf3', ''],
  ['audio/wav', 'RIFF', ''],
  ['text/html', '<!doctype html>', '</p>\n'],
  ['text/csv', 'title,source\r\n', '\r\n'],
  ['text/plain', 'GET', '/made'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK\x03\x04', ''],
])('a body of %s is a file of that type', async (type, start, end) => {
  const mock = await serveText(documentOf({ '/made': answers(type) }));
  const made = await bytesOf(mock, '/made');
  expect(latin1(made.bytes).startsWith(start)).toBe(true);
  expect(latin1(made.bytes).endsWith(end)).toBe(true);
  expect(made.type).toBe(type === 'audio/*' ? 'audio/mpeg' : type.replace('*', 'svg+xml'));
  expect(await bytesOf(mock, '/made')).toEqual(made);
});

test('a picture of any type beside JSON is sent to who accepts one', async () => {
  const { get } = answers('image/*');
  Object.assign(get.responses[200].content, { 'application/json': { schema: { type: 'object' } } });
  const mock = await serveText(documentOf({ '/made': { get } }));
  const accepted = 'image/avif,image/webp,image/svg+xml,*/*;q=0.1';
  expect((await bytesOf(mock, '/made', { accept: accepted })).type).toBe('image/svg+xml');
  expect((await bytesOf(mock, '/made')).type).toBe('application/json');
});

test('what the document shows or says of a body counts', async () => {
  const mock = await serveText(
    documentOf({
      '/answer': answers('text/plain', { type: 'string', enum: ['pong'] }),
      '/count': answers('text/plain', { type: 'integer', minimum: 3, maximum: 3 }),
      '/example': answers('text/csv', { type: 'string', examples: ['a,b\r\n'] }),
      '/octets': answers('application/octet-stream', { type: 'string', enum: ['x'] }),
    }),
  );
  expect((await ask(mock, 'GET /answer')).text).toBe('pong');
  expect((await ask(mock, 'GET /count')).text).toBe('3');
  expect((await ask(mock, 'GET /octets')).text).toBe('x');
});

test('a list has its records as CSV', async () => {
  const list = {
    description: 'ok',
    content: { 'application/json': { schema: { type: 'array', items: ORDER } } },
  };
  const create = {
    requestBody: { content: { 'application/json': { schema: ORDER } } },
    responses: { 201: { description: 'ok', content: { 'application/json': { schema: ORDER } } } },
  };
  const csv = { 'text/csv': { schema: { type: 'string' } } };
  const mock = await serveText(
    documentOf({
      '/orders': {
        get: { responses: { 200: { ...list, content: { ...list.content, ...csv } } } },
        post: create,
      },
      '/orders/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: ORDER } } } },
        },
      },
    }),
    { count: 2 },
  );
  await ask(mock, 'POST /orders', { note: 'for "Ann",\nat once' });
  const records = (await ask(mock, 'GET /orders')).body.filter(isRecord);
  const { text } = await ask(mock, 'GET /orders', undefined, { accept: 'text/csv' });
  expect(text.split('\r\n')).toHaveLength(records.length + 2);
  expect(text).toMatch(/^id,note\r\n/);
  expect(text).toContain('"for ""Ann"",\nat once"\r\n');
});
