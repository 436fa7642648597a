import { expect, test } from 'vitest';
import type { WireRequest, WireResponse } from '../send/wire.ts';
import { createWireLog } from './recording.ts';

const MIB = 2 ** 20;

function request(path: string): WireRequest {
  const url = new URL(path, 'http://h');
  return { method: 'GET', url, headers: [], body: undefined, chunked: false };
}

function respond(bytes: number): WireResponse {
  return { status: 200, headers: [], body: new Uint8Array(bytes), cut: false, ms: 1 };
}

test('requests are logged with their cases, responses and errors; what has no room is counted', async () => {
  const log = createWireLog();
  const client = log.watch({
    send: async ({ url }) => {
      if (url.pathname === '/broken') throw new Error('closed');
      return respond(url.pathname === '/large' ? 40 * MIB : 1);
    },
    close: () => undefined,
  });
  const own = request('/own');
  log.assign(own, 'list/200/a');
  await client.send(own);
  await expect(client.send(request('/broken'))).rejects.toThrow('closed');
  await client.send(request('/large'));
  await client.send(request('/large'));
  expect(log.entries.map(({ caseId, request: { url } }) => [caseId, url.pathname])).toEqual([
    ['list/200/a', '/own'],
    [undefined, '/broken'],
    [undefined, '/large'],
  ]);
  expect(log.entries[1]?.response).toEqual({ error: 'closed' });
  expect(log.dropped()).toBe(1);
});
