import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerCertificate } from '#certificates';
import { onPlainHttp } from '#plain-http';

/** How long requests may still take when the proxy closes, in milliseconds. */
const GRACE = 3000;

/** A connection that is served. */
export interface Served {
  /** Ends it when nothing is under way, or at once. */
  close(isHard?: boolean): void;
}

export interface Listening {
  /** `http://127.0.0.1:4030`, or `https` */
  readonly origin: string;
  readonly address: AddressInfo;
  /** The connection is served by somebody else from now on. */
  release(socket: Socket): void;
  /** The connection, one of those that it has, is served anew. */
  serve(socket: Socket, served: Served): void;
  /** Takes no further connections; resolves when the requests under way are responded to, or after three seconds. */
  close(): Promise<void>;
}

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** Undefined: plain http. */
  readonly certificate: ServerCertificate | undefined;
  readonly serve: (socket: Socket) => Served;
  /** Responds to a client that speaks plain http to a port of https, and ends its connection. */
  readonly refusePlain: (socket: Socket, origin: string) => void;
}

/** Rejects with the system's error when it cannot listen. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { port, host, certificate, serve, refusePlain } = options;
  const open = new Map<Socket, Served>();
  const welcome = (socket: Socket) => {
    open.set(socket, serve(socket));
    socket.once('close', () => open.delete(socket));
  };
  const server = certificate
    ? createTlsServer({ allowHalfOpen: true, cert: certificate.cert, key: certificate.key }, welcome)
    : createServer({ allowHalfOpen: true }, welcome);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const origin = originOf(address, certificate ? 'https' : 'http');
  const endRaw = certificate && onPlainHttp(server, (socket) => refusePlain(socket, origin));
  return {
    origin,
    address,
    release: (socket) => void open.delete(socket),
    serve: (socket, served) => void (open.has(socket) && open.set(socket, served)),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const served of open.values()) served.close();
      endRaw?.(false);
      const cut = setTimeout(() => {
        for (const [socket, served] of open) {
          served.close(true);
          socket.destroy();
        }
        endRaw?.(true);
      }, GRACE);
      await closed;
      clearTimeout(cut);
    },
  };
}

function originOf({ address, family, port }: AddressInfo, scheme: 'http' | 'https'): string {
  const host = ANY_ADDRESS[address] ?? address;
  return `${scheme}://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** A server on every address is reached at this one. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
