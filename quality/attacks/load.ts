import { connect, type Socket } from 'node:net';
import { sendLoad } from '../testing/send-load.ts';

/** Responses by status. */
export type Statuses = Readonly<Record<string, number>>;

const HEADERS = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
/** A server accepts so many connections in one turn of its event loop without refusing any. */
const BATCH = 200;

export async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const size = Math.min(BATCH, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: size }, () => open(port)))));
  }
  return sockets;
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
  });
}

/** One request on each connection, which is closed after the response. */
export async function requestOnEach(sockets: readonly Socket[]): Promise<Statuses> {
  const statuses: Record<string, number> = {};
  const requestOn = (socket: Socket) =>
    new Promise<void>((resolve) => {
      socket.once('data', (chunk) => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 'no response';
        statuses[status] = (statuses[status] ?? 0) + 1;
        socket.resetAndDestroy();
      });
      socket.once('close', () => resolve());
      socket.write(`GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${HEADERS.authorization}\r\n\r\n`);
    });
  for (let begin = 0; begin < sockets.length; begin += BATCH)
    await Promise.all(sockets.slice(begin, begin + BATCH).map(requestOn));
  return statuses;
}

/** What a front end requests in turn; a tenth of it creates a record. */
const REQUESTS = [
  ...Array.from({ length: 4 }, () => ({ method: 'GET', path: '/v1/pets?limit=20' }) as const),
  ...[1, 2, 3, 4711].map((id) => ({ method: 'GET', path: `/v1/pets/${id}` }) as const),
  { method: 'POST', path: '/v1/pets', body: '{"name":"Rex"}' } as const,
  { method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":1}' } as const,
];

/** As many requests as fast as they are answered, over a few connections that stay open. */
export async function sendRequests(url: string, amount: number): Promise<Statuses> {
  const options = {
    url: new URL(url).origin,
    headers: HEADERS,
    requests: REQUESTS,
    connections: 50,
    until: { amount },
  };
  const { statuses, broken } = await sendLoad(options);
  if (broken > 0) throw new Error(`${broken} requests without a response`);
  return statuses;
}
