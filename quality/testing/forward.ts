import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Changes {
  /** Path and query, where they are not those of the request. */
  readonly path?: string | undefined;
  /** Of the response, in place of those of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that the response is held back. */
  readonly delay?: number;
}

/** Sends a request on to another server of this machine, and its response back; 502 where there is none. */
export function forward(
  port: number | string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path = incoming.url, headers, delay = 0 }: Changes = {},
): void {
  const { method } = incoming;
  const options = { host: '127.0.0.1', port, method, path, headers: incoming.headers, agent: false };
  const onward = request(options, async (response) => {
    if (delay > 0) await sleep(delay);
    outgoing.writeHead(response.statusCode as number, { ...response.headers, ...headers });
    response.pipe(outgoing);
  });
  onward.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(onward);
}
