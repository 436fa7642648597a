import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished } from 'vitest';
import { createProxy, type ProxyOptions } from '../index.ts';
import { headServer, rawClient, rawServer } from './wire.ts';

/** A document with records that are listed, created, read, changed and removed. */
export const ORDERS = fileURLToPath(new URL('orders.yaml', import.meta.url));

/** The shortest possible response. */
export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** One message or two, depending on the parser. */
export const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';

type Serve = (head: string, socket: Socket) => string | undefined;

/** A proxy for a target that responds to heads, and a connection to it; internal errors of the proxy fail the test. */
export async function attack(serve: Serve, options: Partial<ProxyOptions> = {}) {
  const heads: string[] = [];
  const target = await headServer((head, socket) => {
    heads.push(head);
    return serve(head, socket);
  });
  const firstLines = () => heads.map((head) => head.split('\r\n')[0]);
  return { heads, firstLines, target, ...(await inFrontOf(target, options)) };
}

/** The same with a target that only listens, until it is told to respond. */
export async function attackListener(options: Partial<ProxyOptions> = {}) {
  let received = '';
  const sockets: Socket[] = [];
  const target = await rawServer((socket) => {
    sockets.push(socket);
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
  });
  const answer = (bytes: string) => void sockets[0]?.write(bytes, 'latin1');
  return { received: () => received, answer, target, ...(await inFrontOf(target, options)) };
}

async function inFrontOf(
  target: { readonly url: string; close(): Promise<void> },
  options: Partial<ProxyOptions>,
) {
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => void bugs.push(error);
  const proxy = await createProxy({ target: target.url, document: ORDERS, port: 0, onBug, ...options });
  const port = Number(new URL(proxy.url).port);
  const client = rawClient(port);
  onTestFinished(async () => {
    client.socket.destroy();
    await Promise.all([proxy.close(), target.close()]);
    expect(bugs).toEqual([]);
  });
  return { proxy, port, client };
}

/** The live heap size in bytes. */
export function heap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
