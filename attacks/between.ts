import { createServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { Certificates } from './certificates.ts';

/** What stands between a suite and its target in a company's network. */
export interface Between {
  readonly port: number;
  /** What it was asked for: `GET http://...` by those who speak to it as to a proxy, `CONNECT host:port` for a tunnel. */
  readonly asked: readonly string[];
  close(): void;
}

/** A proxy that leads to one target, with TLS and without, whatever host it is asked for. */
export async function startProxy(target: { readonly plain: number; readonly tls: number }): Promise<Between> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request({ port: target.plain, method, headers, path: pathname + search }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on('connect', ({ url }, socket) => {
    asked.push(`CONNECT ${url}`);
    const onward = connect(url?.endsWith(':443') ? target.tls : target.plain, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  return { ...(await listening(server)), asked };
}

/** The same target behind TLS. */
export async function startTls(plain: number, { key, certificate }: Certificates): Promise<Between> {
  const asked: string[] = [];
  const server = createHttpsServer({ key, cert: certificate }, (incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { method, headers, url: path } = incoming;
    const onward = request({ port: plain, method, headers, path }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  return { ...(await listening(server)), asked };
}

async function listening(server: Server & { closeAllConnections(): void }) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, close };
}
