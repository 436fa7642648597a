import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  /** `http://127.0.0.1:41234` */
  readonly origin: string;
  /** How many requests each of the servers got. */
  readonly counts: readonly number[];
  close(): Promise<void>;
}

/** A load balancer that sends each request to the next one of these servers; one that is gone is answered for with 502. */
export async function balance(origins: readonly string[]): Promise<Balancer> {
  const counts = origins.map(() => 0);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const index = turn++ % origins.length;
    counts[index] = (counts[index] as number) + 1;
    const { method, headers, url } = incoming;
    const asked = request(new URL(url as string, origins[index]), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode as number, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(asked);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
