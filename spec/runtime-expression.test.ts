import { expect, test } from 'vitest';
import { type ExpressedExchange, fillTemplate, parseTemplate } from './runtime-expression.ts';

const EXCHANGE: ExpressedExchange = {
  url: 'http://127.0.0.1:4020/v1/streams?callbackUrl=http%3A%2F%2Flocalhost',
  method: 'POST',
  request: {
    headers: { 'progress-url': 'http://localhost/progress' },
    query: { callbackUrl: 'http://localhost/hook' },
    path: { id: 7n },
    body: { hook: { url: 'http://localhost/body' }, urls: ['http://localhost/0'], 'a/b': 1, nothing: null },
  },
  response: { headers: { location: 'http://localhost/1' }, body: { id: 'x' } },
};

test.each([
  ['{$request.query.callbackUrl}/data', 'http://localhost/hook/data'],
  ['$request.body#/hook/url', 'http://localhost/body'],
  ['{$request.body#/urls/0}', 'http://localhost/0'],
  ['{$request.body#/a~1b}', '1'],
  ['{$request.header.Progress-Url}', 'http://localhost/progress'],
  ['http://localhost/{$request.path.id}?of={$response.body#/id}', 'http://localhost/7?of=x'],
  ['{$response.header.Location}', 'http://localhost/1'],
  ['{$method} {$url}', `POST ${EXCHANGE.url}`],
  ['http://localhost/fixed', 'http://localhost/fixed'],
])('%s becomes %s', (text, want) => {
  const template = parseTemplate(text);
  expect('parts' in template && fillTemplate(template, EXCHANGE)).toEqual({ text: want });
});

test.each([
  '$request.body#/hook',
  '{$request.body#/nothing}',
  '{$request.body#/none/at/all}',
  '{$request.body#/urls/}',
  '{$request.body#/urls/00}',
  '{$response.header.toString}',
])('what %s names is missing, or no text', (text) => {
  const template = parseTemplate(text);
  const missing = text.replace(/^\{|\}$/g, '');
  expect('parts' in template && fillTemplate(template, EXCHANGE)).toEqual({ missing });
});

test.each(['{request.body#/url}', '{$request.cookie.a}', '{$response.query.a}', '{$request.body.url}', '{}'])(
  '%s is no runtime expression',
  (text) => expect(parseTemplate(text)).toEqual({ unreadable: text }),
);
