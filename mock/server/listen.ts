import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../answer/engine.ts';
import { readBody } from './read-body.ts';

/** One exchange, as the log tells it. */
export interface LogEntry {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly status: number;
  readonly ms: number;
}

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly maxBody: number;
  readonly log: (entry: LogEntry) => void;
}

export interface Listening {
  /** `http://127.0.0.1:4020` */
  readonly origin: string;
  /** Takes no new connection, and resolves when all requests are answered. */
  close(): Promise<void>;
}

/** Serves an engine over HTTP/1.1. Rejects with the system's error when the address cannot be had. */
export async function listen(engine: Engine, options: ListenOptions): Promise<Listening> {
  const { port, host, maxBody, log } = options;
  let closing = false;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const method = request.method as string;
    const target = request.url as string;
    const mark = target.indexOf('?');
    const reading = readBody(request, maxBody);
    const body = reading && (await reading);
    const reply = await engine({
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      headers: request.headers,
      body,
    });
    const { status } = reply;
    const headers: Record<string, string | number> = { ...reply.headers };
    if (status !== 204) headers['Content-Length'] = Buffer.byteLength(reply.body);
    if (closing) headers.Connection = 'close';
    response.writeHead(status, headers);
    response.end(reply.body);
    log({ method, target, status, ms: performance.now() - begun });
  }

  const server = createServer((request, response) => {
    // A body that breaks off: there is no one left to answer.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    origin: originOf(server.address() as AddressInfo),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        server.close(() => resolve());
      }),
  };
}

function originOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
