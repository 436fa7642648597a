import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** How long requests may still take when the proxy closes, in milliseconds. */
const GRACE = 3000;

/** A connection that is served. */
export interface Served {
  /** Ends it when nothing is under way, or at once. */
  close(isHard?: boolean): void;
}

export interface Listening {
  /** `http://127.0.0.1:4030` */
  readonly origin: string;
  readonly address: AddressInfo;
  /** The connection is served by somebody else from now on. */
  release(socket: Socket): void;
  /** Takes no further connections; resolves when the requests under way are responded to, or after three seconds. */
  close(): Promise<void>;
}

/** Rejects with the system's error when it cannot listen. */
export async function listen(
  port: number,
  host: string,
  serve: (socket: Socket) => Served,
): Promise<Listening> {
  const open = new Map<Socket, Served>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    open.set(socket, serve(socket));
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    origin: originOf(address),
    address,
    release: (socket) => void open.delete(socket),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const served of open.values()) served.close();
      const cut = setTimeout(() => {
        for (const [socket, served] of open) {
          served.close(true);
          socket.destroy();
        }
      }, GRACE);
      await closed;
      clearTimeout(cut);
    },
  };
}

function originOf({ address, family, port }: AddressInfo): string {
  const host = ANY_ADDRESS[address] ?? address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** A server on every address is reached at this one. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
