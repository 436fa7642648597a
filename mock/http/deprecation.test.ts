import { expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../testing/serve.ts';

test.each([
  ['a good answer', 'GET /pets/1', {}, 200],
  ['a 404', 'GET /pets/4711', {}, 404],
  ['a 401', 'GET /pets/1', { authorization: '' }, 401],
])('the deprecated operation names its end and its successor on %s', async (_, line, sent, want) => {
  const { status, headers } = await ask(await serve(SHIPPED), line, undefined, sent);
  expect(status).toBe(want);
  expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
  // RFC 9745 needs the date of the deprecation, which the document lacks.
  expect(headers.has('deprecation')).toBe(false);
});

test('other operations name none', async () => {
  const { headers } = await ask(await serve(SHIPPED), 'GET /pets');
  expect([headers.has('sunset'), headers.has('link')]).toEqual([false, false]);
});

test('the link follows the base path', async () => {
  const { headers } = await ask(await serve(SHIPPED, { basePath: false }), 'GET /pets/1');
  expect(headers.get('link')).toBe('</pets>; rel="successor-version"');
});

test('a sunset with a time and no successor', async () => {
  const get = {
    responses: { 200: { description: 'Old' } },
    deprecated: true,
    'x-sunset': '2030-01-02T03:04:05+01:00',
  };
  const { headers } = await ask(await serveText(documentOf({ '/old': { get } })), 'GET /old');
  expect(headers.get('sunset')).toBe('Wed, 02 Jan 2030 02:04:05 GMT');
  expect(headers.has('link')).toBe(false);
});
