import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection with its received bytes as text, in which each character is a byte. */
export interface RawClient {
  readonly socket: Socket;
  received(): string;
  send(text: string | Buffer): void;
  /**
   * Resolves when the received text fits.
   * @throws Error if the connection ended before
   */
  until(fits: (received: string) => boolean): Promise<string>;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<string>;
}

export function rawClient(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay(true);
  let text = '';
  const watchers = new Set<() => void>();
  let hasEnded = false;
  const received = () => text;
  const notify = () => watchers.forEach((watch) => void watch());
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    notify();
  });
  const over = () => {
    hasEnded = true;
    notify();
  };
  socket.on('end', over).on('close', over);
  const until = (fits: (text: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      function watch(): void {
        if (fits(text)) resolve(text);
        else if (hasEnded) reject(new Error(`the connection ended after ${JSON.stringify(text)}`));
        else return;
        watchers.delete(watch);
      }
      watchers.add(watch);
      watch();
    });
  return {
    socket,
    received,
    send: (text) => void socket.write(text, 'latin1'),
    until,
    ended: new Promise((resolve) => {
      const done = () => resolve(received());
      socket.once('end', done).once('close', done);
    }),
  };
}

/** A server without HTTP: a test handles its connections. */
export async function rawServer(serve: (socket: Socket, at: number) => void) {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, count++);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Responds to each request without a body, after its head, with the bytes that `answer` returns for the head. */
export function headServer(answer: (head: string, socket: Socket) => string | Buffer | undefined) {
  return rawServer((socket) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end + 4);
        text = text.slice(end + 4);
        const bytes = answer(head, socket);
        if (bytes !== undefined) socket.write(bytes, 'latin1');
      }
    });
    socket.on('end', () => socket.end());
  });
}
