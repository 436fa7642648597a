import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../testing/serve.ts';
import { chooseAcceptable } from './representations.ts';

const TYPES = ['application/json', 'text/csv', 'application/vnd.a+json; version=2', 'text/plain'];

test.each<[string | undefined, string | undefined]>([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/*;q=0.5, text/plain', 'text/plain'],
  ['text/csv;q=0.2, text/plain;q=0.8', 'text/plain'],
  ['text/*, text/csv;q=0', 'text/plain'],
  ['*/*, application/json;q=0', 'text/csv'],
  ['*/*;q=0.1, text/plain;q=0.2', 'text/plain'],
  ['application/json;q=0.9, */*;q=0.9', 'application/json'],
  ['image/png', undefined],
  ['image/png, */*;q=0', undefined],
  ['application/json;q=0', undefined],
  ['application/vnd.a+json', 'application/vnd.a+json; version=2'],
  ['application/vnd.a+json;version=2', 'application/vnd.a+json; version=2'],
  ['application/vnd.a+json;version=3', undefined],
  [
    'application/vnd.a+json;version=2;q=0.3, application/vnd.a+json;q=0.9',
    'application/vnd.a+json; version=2',
  ],
  ['text/csv;q="0.5", text/plain;q=0.4', 'text/csv'],
  ['text/plain;a="x,y", text/csv', 'text/csv'],
  ['text/csv;q=7', 'text/csv'],
  ['nonsense', 'application/json'],
  ['nonsense, text/csv', 'text/csv'],
])('Accept: %s', (accept, want) => {
  const chosen = chooseAcceptable(
    accept,
    TYPES.map((type) => ({ type })),
  );
  expect(chosen?.type).toBe(want);
});

test.each([
  ['*/*', {}, 'application/json', '"a"'],
  ['application/*', {}, 'application/json', '"a"'],
  ['*/*', { format: 'binary' }, 'application/octet-stream', 'a'],
  ['application/*', { format: 'binary' }, 'application/octet-stream', 'a'],
  ['text/*', {}, 'text/plain', 'a'],
])('a text of %s %j is %s: %s', async (range, more, type, want) => {
  const content = { [range]: { schema: { type: 'string', enum: ['a'], ...more } } };
  const get = { responses: { 200: { description: 'A text', content } } };
  const { text, headers } = await ask(await serveText(documentOf({ '/a': { get } })), 'GET /a');
  expect([headers.get('content-type'), text]).toEqual([type, want]);
});
