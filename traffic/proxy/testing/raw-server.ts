import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that knows no HTTP: a test gives it each of its connections. */
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

/** Answers each request without a body, when its head is whole, with the bytes that `answer` makes of the head. */
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
