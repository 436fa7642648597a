import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createProxy } from './index.ts';
import { heap } from './testing/attacked-proxy.ts';

const COUNT = 12_000;
/**
 * MB of heap that may be added while so many exchanges pass. A kilobyte kept of each would be twelve: the header fields
 * of the request alone are 14, and the whole exchange 54. What is bounded (the latest exchanges, the records that are
 * remembered, the heads that are parsed already) is full before, and what is left differs by one or two.
 */
const GROWTH = 10;

test(`memory stays while ${2 * COUNT} exchanges pass, each of them another one`, async () => {
  let count = 0;
  const service = createServer((incoming, response) => {
    count += 1;
    incoming.resume();
    const pet = { id: count, name: count % 3 === 0 ? count : `Pet ${count}`, categoryId: 1 };
    const headers = { 'content-type': 'application/json', 'x-number': count };
    const more = { [`m${count}`.repeat(100)]: count };
    response
      .writeHead(incoming.method === 'POST' ? 201 : 200, headers)
      .end(JSON.stringify({ ...pet, ...more }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const connections = new Set<Socket>();
  service.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const document = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));
  const proxy = await createProxy({ target, document, port: 0, exclusive: true });
  try {
    const heapAfter = async (first: number) => {
      await send(proxy.url, COUNT, first);
      // Neither connections that are still open, nor exchanges that are still to be judged, are kept for good.
      await expect.poll(() => connections.size).toBe(0);
      proxy.found();
      return heap() / 1e6;
    };
    const before = await heapAfter(0);
    expect((await heapAfter(COUNT)) - before).toBeLessThan(GROWTH);
    expect(proxy.found().counts).toMatchObject({ requests: 2 * COUNT, judged: 2 * COUNT });
  } finally {
    await proxy.close();
    service.close().closeAllConnections();
  }
});

/** Reads and creates over 16 connections, which are others every thousand requests. */
async function send(url: string, count: number, first: number): Promise<void> {
  let next = first;
  let agent = new Agent({ keepAlive: true });
  const agents = [agent];
  async function work(): Promise<void> {
    while (next < first + count) {
      const number = next++;
      if (number % 1000 === 0) {
        agent = new Agent({ keepAlive: true });
        agents.push(agent);
      }
      const isRead = number % 4 > 0;
      const headers = { authorization: `Bearer key-${number % 50}`, 'content-type': 'application/json' };
      const asked = request(`${url}/pets${isRead ? `/${number}` : ''}`, {
        method: isRead ? 'GET' : 'POST',
        agent,
        headers,
      });
      const note = `${number}`.repeat(2000);
      asked.end(isRead ? undefined : `{"name":"Pet ${number}","categoryId":1,"note":"${note}"}`);
      const [response] = await once(asked, 'response');
      response.resume();
      await once(response, 'end');
    }
  }
  await Promise.all(Array.from({ length: 16 }, work));
  for (const one of agents) one.destroy();
}
