import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Responds to a request on its socket, with any bytes. */
export type Behaviour = (socket: Socket, request: HostileRequest) => void;

export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  /** Counted from 1 over all connections. */
  readonly number: number;
  /** Base URL of the target itself. */
  readonly origin: string;
}

export interface HostileTarget {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that reads only the request line, and leaves the response to the behaviour. */
export async function startTarget(behave: Behaviour): Promise<HostileTarget> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (chunk) => {
      // What does not begin with a request line is the body of a request.
      const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(chunk.toString('latin1')) ?? [];
      if (method === undefined || target === undefined) return;
      requests += 1;
      behave(socket, { method, target, number: requests, origin });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
