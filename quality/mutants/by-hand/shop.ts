import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ask, Behaviour, Shop } from './behaviour.ts';
import { correct } from './correct.ts';

export interface RunningShop {
  /** The base URL, including the path prefix. */
  readonly url: string;
  readonly apiKey: string;
  /** All requests so far. */
  readonly requests: readonly Ask[];
  /** The shop, for changing its records directly. */
  readonly shop: Shop;
  close(): Promise<void>;
}

/** Upper-case and lower-case letters, digits and punctuation, which a careless comparison would confuse. */
const KEY = 'Oats-and-Hay_7Qx';
const BASE_PATH = '/v1';

/**
 * Starts a Pet Store on a free loopback port: correct except for the replaced behaviour. It uses neither the mock nor
 * the document.
 */
export async function startShop(behaviour: Partial<Behaviour> = {}): Promise<RunningShop> {
  const does: Behaviour = { ...correct, ...behaviour };
  const shop: Shop = { does, key: KEY, pets: does.stock() };
  const requests: Ask[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ask = await readAsk(request);
    requests.push(ask);
    const answer = await does.answer(ask, shop);
    await does.send(does.write(answer, ask), response, ask);
  }

  const server = createServer((request, response) => {
    // A client that disconnects during its request gets no response.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${BASE_PATH}`,
    apiKey: KEY,
    requests,
    shop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAsk(request: IncomingMessage): Promise<Ask> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  return {
    method: request.method ?? '',
    path: path.startsWith(BASE_PATH) ? path.slice(BASE_PATH.length) : `outside:${path}`,
    query: new URLSearchParams(query),
    headers: request.headers as Record<string, string | undefined>,
    body: Buffer.concat(chunks),
    socket: request.socket,
  };
}
