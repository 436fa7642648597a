import { type IncomingMessage, request, type ServerResponse } from 'node:http';

interface Changes {
  /** Path and query, where they are not those of the request. */
  readonly path?: string | undefined;
  /** Of the response, in place of those of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request on to another server of this machine, and its response back; 502 where there is none. */
export function forward(
  port: number | string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path = incoming.url, headers }: Changes = {},
): void {
  const { method } = incoming;
  const options = { host: '127.0.0.1', port, method, path, headers: incoming.headers, agent: false };
  const onward = request(options, (response) => {
    outgoing.writeHead(response.statusCode as number, { ...response.headers, ...headers });
    response.pipe(outgoing);
  });
  onward.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(onward);
}
