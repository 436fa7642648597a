import { expect, test } from 'vitest';
import { compared } from './testing/compared.ts';
import { documentOf, json, OK } from './testing/documents.ts';

const text = { type: 'string' };
const thing = (required: string[], more: object = {}) => ({
  type: 'object',
  required,
  properties: { name: text, note: text },
  ...more,
});
const body = (schema: object) => ({ requestBody: { required: true, ...json(schema) } });
const hook = (post: object) =>
  documentOf({}, { webhooks: { arrived: { post: { responses: OK, ...post } } } });
const answering = (schema: object) =>
  hook({ responses: { 200: { description: 'Taken.', ...json(schema) } } });
const subscribed = (url: string, post: object) =>
  documentOf({
    '/subscriptions': {
      post: {
        ...body({ type: 'object', properties: { url: text, address: text } }),
        responses: OK,
        callbacks: { arrived: { [`{$request.body#/${url}}`]: { post: { responses: OK, ...post } } } },
      },
    },
  });

test.for([
  ['a member that is no longer sent for sure', hook(body(thing(['name']))), hook(body(thing([]))), 1, 0],
  ['a value more', hook(body({ enum: ['a'] })), hook(body({ enum: ['a', 'b'] })), 1, 0],
  [
    'a header',
    hook({ parameters: [{ name: 'X-A', in: 'header', required: true, schema: text }] }),
    hook({}),
    1,
    0,
  ],
  ['the body', hook(body(text)), hook({}), 1, 0],
  ['what clients must respond', answering(thing([])), answering(thing(['name'])), 1, 0],
  ['the webhook', hook({}), documentOf({}, { webhooks: {} }), 1, 0],
  [
    'a member of a callback',
    subscribed('url', body(thing(['name']))),
    subscribed('url', body(thing([]))),
    1,
    0,
  ],
  ['where a callback goes', subscribed('url', {}), subscribed('address', {}), 1, 1],
] as const)('of what a service sends, clients are receivers: %s', async ([, old, next, there, back]) => {
  expect([(await compared([old, next])).exitCode, (await compared([next, old])).exitCode]).toEqual([
    there,
    back,
  ]);
});
