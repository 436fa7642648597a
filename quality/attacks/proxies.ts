import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { forward } from '../testing/forward.ts';
import type { Certificates } from './certificates.ts';

export interface HttpProxy {
  readonly port: number;
  /** What it received: `GET http://...` of HTTP through a proxy, `CONNECT host:port` for a tunnel. */
  readonly received: readonly string[];
  close(): void;
}

/** An HTTP proxy whose every host is one target, with and without TLS. */
export async function startProxy(target: {
  readonly plain: number;
  readonly tls: number;
}): Promise<HttpProxy> {
  const received: string[] = [];
  const server = createServer((incoming, outgoing) => {
    received.push(`${incoming.method} ${incoming.url}`);
    const { pathname, search } = new URL(incoming.url ?? '');
    forward(target.plain, incoming, outgoing, { path: pathname + search });
  });
  server.on('connect', ({ url }, socket) => {
    received.push(`CONNECT ${url}`);
    const onward = connect(url?.endsWith(':443') ? target.tls : target.plain, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  return { ...(await listen(server)), received };
}

/** Terminates TLS in front of the target. */
export function startTls(plain: number, { key, certificate }: Certificates) {
  return listen(
    createHttpsServer({ key, cert: certificate }, (incoming, outgoing) => forward(plain, incoming, outgoing)),
  );
}

async function listen(server: Server & { closeAllConnections(): void }) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, close };
}
