import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { costOf } from '../bench/process-cost.ts';
import { startPaddock } from '../testing/paddock.ts';

const COUNT = 40_000;
/** MiB that the process may grow by between the first and the second half; a kilobyte kept of each exchange would be 20. */
const GROWTH = 40;

test(`memory stays while ${2 * COUNT} exchanges pass, each of them another one`, async () => {
  let count = 0;
  const service = createServer((incoming, response) => {
    count += 1;
    incoming.resume();
    const broken = count % 3 === 0;
    const pet = { id: count, name: broken ? count : `Pet ${count}`, categoryId: 1 };
    const status = incoming.method === 'POST' ? 201 : 200;
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-number': count })
      .end(JSON.stringify(pet));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const proxy = startPaddock(['proxy', target, '--port', '0', '--log', 'json', '--exclusive']);
  try {
    await expect.poll(() => proxy.output().out, { timeout: 60_000 }).toMatch(/"url"/);
    const { url } = JSON.parse(proxy.output().out.split('\n')[0] as string);
    await send(url, COUNT, 0);
    const before = costOf(proxy.child.pid as number).memory;
    await send(url, COUNT, COUNT);
    const after = costOf(proxy.child.pid as number).memory;
    expect(after - before).toBeLessThan(GROWTH);
    const response = await fetch(`${new URL(url).origin}/__admin/findings`);
    const { counts } = (await response.json()) as { counts: Record<string, number> };
    expect(counts.requests).toBe(2 * COUNT);
  } finally {
    await proxy.stop('SIGKILL');
    service.close().closeAllConnections();
  }
}, 600_000);

/** Reads and creates over 16 connections, which are others every thousand requests. */
async function send(url: string, count: number, first: number): Promise<void> {
  let next = first;
  let agent = new Agent({ keepAlive: true });
  async function work(): Promise<void> {
    while (next < first + count) {
      const number = next++;
      if (number % 1000 === 0) agent = new Agent({ keepAlive: true });
      const isRead = number % 4 > 0;
      const headers = { authorization: `Bearer key-${number % 50}`, 'content-type': 'application/json' };
      const asked = request(`${url}/pets${isRead ? `/${number}` : ''}`, {
        method: isRead ? 'GET' : 'POST',
        agent,
        headers,
      });
      asked.end(isRead ? undefined : `{"name":"Pet ${number}","categoryId":1}`);
      const [response] = await once(asked, 'response');
      response.resume();
      await once(response, 'end');
    }
  }
  await Promise.all(Array.from({ length: 16 }, work));
}
