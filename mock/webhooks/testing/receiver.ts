import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request that a receiver of webhooks got. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when so many requests have arrived. */
  got(count: number): Promise<readonly Received[]>;
}

/** A receiver on a free port of loopback, for one test. `answer` returns each status, or closes the connection. */
export async function startReceiver(
  answer: (count: number) => number | 'end' = () => 204,
  tls?: { readonly certificate: string; readonly key: string },
): Promise<Receiver> {
  const received: Received[] = [];
  let news = Promise.withResolvers<void>();
  const listener: RequestListener = async (request, response) => {
    const { method, url: path, headers } = request;
    received.push({ method, path, headers, body: await text(request) });
    const status = answer(received.length);
    if (status === 'end') request.socket.destroy();
    else response.writeHead(status).end();
    news.resolve();
    news = Promise.withResolvers();
  };
  const server = tls
    ? createSecureServer({ cert: tls.certificate, key: tls.key }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${port}`,
    received,
    async got(count) {
      while (received.length < count) await news.promise;
      return received;
    },
  };
}
