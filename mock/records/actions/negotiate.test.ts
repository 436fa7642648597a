import { expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

/** A row for each record, with the columns of the document's example. */
const CSV = /^id,email,name\r\n712,ada@kennels.example,Ada Holm\r\n733,bo@kennels.example,Bo Friis\r\n\d+,/;

test.each<[string, { line: string; accept: string; status?: number; type: string; text?: RegExp | string }]>([
  ['no choice made', { line: 'GET /owners', accept: '*/*', type: 'application/json', text: /^\[\{"id":/ }],
  ['a text with an example', { line: 'GET /owners', accept: 'text/csv', type: 'text/csv', text: CSV }],
  [
    'weights',
    { line: 'GET /owners', accept: 'application/json;q=0.2, text/*;q=0.9', type: 'text/csv', text: CSV },
  ],
  [
    'nothing acceptable where 406 is documented',
    { line: 'GET /owners', accept: 'image/png', status: 406, type: 'application/problem+json' },
  ],
  [
    'nothing acceptable elsewhere',
    { line: 'GET /owners/ID', accept: 'image/png', type: 'application/json', text: /^\{"id":/ },
  ],
  [
    'another JSON of the same schema',
    {
      line: 'GET /owners/ID',
      accept: 'application/vnd.kennels+json',
      type: 'application/vnd.kennels+json',
      text: /^\{"id":/,
    },
  ],
  [
    'a text that is sampled',
    { line: 'GET /owners/ID', accept: 'text/vcard', type: 'text/vcard', text: /^[^{]+$/ },
  ],
  [
    'an error as a text',
    {
      line: 'GET /owners/0',
      accept: 'text/plain',
      status: 404,
      type: 'text/plain',
      text: /Nothing can be found there/,
    },
  ],
  [
    'an error as JSON',
    {
      line: 'GET /owners/0',
      accept: 'application/*',
      status: 404,
      type: 'application/problem+json',
      text: /"status":404/,
    },
  ],
])('%s', async (_, { line, accept, status = 200, type, text }) => {
  const mock = await serve(fixture('kennels.yaml'), { count: 3 });
  const [{ id }] = (await ask(mock, 'GET /owners')).body;
  const asked = await ask(mock, line.replace('ID', id), undefined, { accept });
  expect([asked.status, asked.headers.get('content-type'), asked.headers.get('vary')]).toEqual([
    status,
    type,
    'Origin, Accept',
  ]);
  if (text !== undefined)
    expect(asked.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
});

test('a refusal for want of an acceptable type comes before anything is done', async () => {
  const content = {
    'application/json': {
      schema: { type: 'object', properties: { id: { type: 'integer' }, a: { type: 'string' } } },
    },
  };
  const responses = { 201: { description: 'It', content }, 406: { description: 'Not acceptable' } };
  const listed = {
    'application/json': { schema: { type: 'array', items: content['application/json'].schema } },
  };
  const get = { responses: { 200: { description: 'All', content: listed } } };
  const mock = await serveText(
    documentOf({ '/things': { get, post: { requestBody: { content }, responses } } }),
    { count: 0 },
  );
  expect((await ask(mock, 'POST /things', { a: 'b' }, { accept: 'text/html' })).status).toBe(406);
  expect((await ask(mock, 'GET /things')).body).toEqual([]);
});

test.each<[string, string, string]>([
  ['a success', 'code=200', 'text/csv'],
  ['an error', 'code=422', 'text/plain'],
])('%s that is forced has an acceptable type', async (_, prefer, accept) => {
  const mock = await serve(fixture('kennels.yaml'), { count: 3 });
  const forced = await ask(mock, 'GET /owners', undefined, { accept, prefer });
  expect(forced.headers.get('content-type')).toBe(accept);
  expect(forced.headers.get('vary')).toBe('Origin, Accept, Prefer');
  expect(forced.status).toBe(Number(prefer.slice(5)));
});

test('a media type that the mock cannot make is not chosen', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const content = { 'application/json': { schema }, 'application/protobuf': { schema }, 'image/tiff': {} };
  const mock = await serveText(
    documentOf({
      '/thing': { get: { operationId: 'get', responses: { 200: { description: 'It', content } } } },
    }),
  );
  const asked = await ask(mock, 'GET /thing', undefined, { accept: 'application/protobuf, image/*' });
  expect(asked.headers.get('content-type')).toBe('application/json');
  expect(asked.headers.get('vary')).toBe('Origin');
  expect(misfits(mock, 'get', asked)).toEqual([]);
});
