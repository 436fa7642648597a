import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from '../../quality/testing/forward.ts';

export interface Balancer {
  /** `http://127.0.0.1:41234` */
  readonly origin: string;
  /** The number of requests to each server. */
  readonly counts: readonly number[];
  close(): Promise<void>;
}

/** A load balancer that sends each request to the next of these servers; 502 for one that has ended. */
export async function balance(origins: readonly string[]): Promise<Balancer> {
  const counts = origins.map(() => 0);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const index = turn++ % origins.length;
    counts[index] = (counts[index] as number) + 1;
    forward(new URL(origins[index] as string).port, incoming, outgoing);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
