import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';
import { startReceiver } from '../../webhooks/testing/receiver.ts';
import { settled } from '../../webhooks/testing/signals.ts';

const text = { type: 'string' };
const boat = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: text, callbackUrl: text },
};
const boats = { type: 'array', items: boat };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const made = (content: object) => ({ 201: { description: 'Made', ...content } });
const key = { name: 'Idempotency-Key', in: 'header', schema: text };
const heard = { post: { requestBody: json(boat), responses: { 200: { description: 'Heard' } } } };

const HARBOUR = documentOf({
  '/boats': {
    get: { responses: { 200: { description: 'All', ...json(boats) } } },
    post: {
      ...{ parameters: [key], requestBody: json(boat), responses: made(json(boat)) },
      callbacks: { launched: { '{$request.body#/callbackUrl}': heard } },
    },
  },
  '/fleets': {
    post: {
      ...{ parameters: [key], requestBody: json(boats), responses: made(json(boats)) },
      'x-paddock': { createMany: '/boats' },
    },
  },
  '/photos': {
    post: {
      parameters: [key],
      requestBody: { content: { 'application/octet-stream': {} } },
      responses: made({ content: { 'image/png': {} } }),
    },
  },
});

const KEY = { 'idempotency-key': 'a' };

test('of requests at once with one key the first is carried out, and the others have its response', async () => {
  const mock = await serveText(HARBOUR);
  const launch = () => ask(mock, 'POST /fleets', [{ name: 'Ada' }, { name: 'Bo' }], KEY);
  const before = (await ask(mock, 'GET /boats')).body.length;
  const bodies = (await Promise.all([launch(), launch(), launch()])).map(({ body }) => body);
  expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  expect((await ask(mock, 'GET /boats')).body.length).toBe(before + 2);
});

test('a repeated request sends no second callback, and may follow one that was refused', async () => {
  const receiver = await startReceiver(() => 200);
  const mock = await serveText(HARBOUR);
  expect((await ask(mock, 'POST /boats', {}, KEY)).status).toBe(400);
  const sent = { name: 'Ada', callbackUrl: receiver.url };
  const [first, second] = [
    await ask(mock, 'POST /boats', sent, KEY),
    await ask(mock, 'POST /boats', sent, KEY),
  ];
  expect(second.body).toEqual(first.body);
  await settled(mock);
  expect(receiver.received).toHaveLength(1);
});

test('bytes that are sent, or responded with, are those of the key', async () => {
  const mock = await serveText(HARBOUR);
  const send = async (...bytes: number[]) => {
    const headers = { ...KEY, 'content-type': 'application/octet-stream' };
    const response = await mock.fetch('/photos', { method: 'POST', headers, body: Uint8Array.from(bytes) });
    return [response.status, Buffer.from(await response.arrayBuffer()).toString('base64')];
  };
  const first = await send(1, 255);
  expect(first).toEqual([201, expect.stringMatching(/^iVBOR/)]);
  expect(await send(1, 255)).toEqual(first);
  expect((await send(1, 254))[0]).toBe(422);
});
