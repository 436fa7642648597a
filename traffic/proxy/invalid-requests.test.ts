import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy, type InvalidRequest, type ProxyOptions } from './index.ts';

const DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
const HEADERS = { authorization: 'Bearer key', 'content-type': 'application/json' };

async function inFront(options: Partial<ProxyOptions> = {}) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400, HEADERS).end('{"code":"x","message":"y"}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const seen: InvalidRequest[] = [];
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const proxy = await createProxy({
    ...{ target, document: DOCUMENT, port: 0, onInvalidRequest: (one) => void seen.push(one) },
    ...options,
  });
  onTestFinished(() => proxy.close());
  const ask = async (path: string, init: RequestInit = {}) => {
    await (await fetch(proxy.url + path, { headers: HEADERS, ...init })).text();
    proxy.found();
  };
  return { ask, seen };
}

test('an invalid request is reported with what is wrong and its line of the document', async () => {
  const { ask, seen } = await inFront();
  await ask('/pets', { method: 'POST', body: '{"name":7}' });
  expect(seen).toEqual([
    {
      kind: 'invalid',
      method: 'POST',
      target: '/v1/pets',
      operation: 'createPet',
      reason: expect.stringMatching(/^body\.\w+ .*; body\.name must be a string, not 7$/),
      at: expect.stringMatching(/openapi\.yaml:\d+$/),
      times: 1,
      refused: undefined,
    },
  ]);
});

test('equal requests are counted, and reported the 10th and the 100th time', async () => {
  const { ask, seen } = await inFront();
  for (let count = 1; count <= 101; count++) await ask(`/pets?limit=${count}x`);
  await ask('/pets?sort=x&limit=-1');
  const shown = seen.map(({ times, target }) => `${times} ${target}`);
  expect(shown).toEqual([
    '1 /v1/pets?limit=1x',
    '10 /v1/pets?limit=10x',
    '100 /v1/pets?limit=100x',
    '1 /v1/pets?sort=x&limit=-1',
  ]);
});

test('what the document does not have is reported with what it has', async () => {
  const { ask, seen } = await inFront();
  await ask('/petz/1');
  await ask('/petz/2');
  await ask('/pets/1', { method: 'SEARCH' });
  await ask('/pets/1', { method: 'HEAD' });
  await ask('/pets', { method: 'OPTIONS' });
  await ask('/../../elsewhere');
  expect(seen.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([
    expect.stringMatching(/^unknown path: the document has no such path; nearest: GET \/v1\/pets\/\{petId\}/),
    expect.stringMatching(/^unknown method: the document has no SEARCH there; it has GET$/),
  ]);
});

test('a request without a credential is invalid where one is needed', async () => {
  const { ask, seen } = await inFront();
  await ask('/pets', { headers: {} });
  expect(seen).toMatchObject([
    { kind: 'invalid', reason: expect.stringContaining('the credential is missing') },
  ]);
});

test('no secret stands in what is reported, and nothing that is masked', async () => {
  const { ask, seen } = await inFront({ mask: ['name', '/categoryId'] });
  await ask('/pets?limit=x&api_key=abc&name=Rex', {
    method: 'POST',
    body: '{"name":123,"categoryId":"secret"}',
  });
  expect(JSON.stringify(seen)).not.toMatch(/abc|Rex|123|secret"/);
  expect(seen).toHaveLength(1);
});
