import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from './testing/serve.ts';

const PET = {
  type: 'object',
  required: ['name'],
  xml: { name: 'pet' },
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    tags: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'tag' } } },
  },
};
const ERROR = {
  type: 'object',
  xml: { name: 'error' },
  required: ['message'],
  properties: { message: { type: 'string' } },
};

/** A service with these media types, XML among them. */
function pets(...types: string[]) {
  const content = (schema: object) => Object.fromEntries(types.map((type) => [type, { schema }]));
  const of = (schema: object) => ({ description: '', content: content(schema) });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return serveText(
    documentOf({
      '/pets': {
        post: {
          requestBody: { required: true, content: content(PET) },
          responses: { 201: of(PET), 400: of(ERROR) },
        },
        get: { responses: { 200: of({ type: 'array', items: PET }) } },
      },
      '/pets/{id}': { parameters: [id], get: { responses: { 200: of(PET), 404: of(ERROR) } } },
    }),
  );
}

const SENT = { 'content-type': 'application/xml' };
const XML = '<pet><id>9007199254740993</id><name>Rex &amp; co</name><tags><tag>a</tag></tags></pet>';

test('what comes as XML can be read as JSON, and the other way round', async () => {
  const mock = await pets('application/json', 'application/xml');
  const made = await ask(mock, 'POST /pets', XML, SENT);
  expect([made.status, made.body]).toEqual([201, { id: 9007199254740993n, name: 'Rex & co', tags: ['a'] }]);
  const read = await ask(mock, 'GET /pets/9007199254740993', undefined, { accept: 'application/xml' });
  expect(read.headers.get('content-type')).toBe('application/xml');
  expect(read.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>${XML}`);
});

test('where XML is all that there is, lists, records and refusals are XML', async () => {
  const mock = await pets('application/xml');
  expect((await ask(mock, 'POST /pets', XML, SENT)).text).toContain(XML);
  expect((await ask(mock, 'GET /pets/9007199254740993')).text).toContain(XML);
  expect((await ask(mock, 'GET /pets')).text).toContain(XML);
  const refused = await ask(mock, 'POST /pets', '<pet><id>x</id></pet>', SENT);
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/<error><message>.*body\.name is required/);
});

test('entities of a DTD are not read', async () => {
  const mock = await pets('application/json', 'application/xml');
  const xxe = '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><pet><name>&x;</name></pet>';
  const { status, text } = await ask(mock, 'POST /pets', xxe, SENT);
  expect(status).toBe(400);
  expect(text).toContain('undefined entity');
});
