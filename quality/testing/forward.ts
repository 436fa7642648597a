import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Changes {
  /** The path and query, if they differ from those of the request. */
  readonly path?: string | undefined;
  /** Response headers that replace those with the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds to delay the response. */
  readonly delay?: number;
}

/** Forwards a request to another server on this machine, and its response back; responds 502 if it is unreachable. */
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
