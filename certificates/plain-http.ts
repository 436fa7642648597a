import type { Server, Socket } from 'node:net';

/** The type of a TLS handshake record (RFC 8446 §5.1), the first byte of every https client. */
const HANDSHAKE = 0x16;

/** Milliseconds for a client to send its first byte. */
const PATIENCE = 60_000;

/**
 * Detects plain http on an https server, which TLS would only answer by closing the connection: `refuse` may write to
 * that client, and closes it.
 * @returns closes the connections that have sent nothing, or all; the server itself tracks neither
 */
export function onPlainHttp(server: Server, refuse: (socket: Socket) => void): (all: boolean) => void {
  const [secure] = server.listeners('connection') as ((socket: Socket) => void)[];
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    const ignore = () => {};
    const giveUp = () => socket.destroy();
    const begin = () => {
      silent.delete(socket);
      const first = socket.read() as Buffer | null;
      // The client has closed the connection.
      if (first === null) {
        socket.destroy();
        return;
      }
      socket.off('timeout', giveUp).setTimeout(0);
      socket.unshift(first);
      if (first[0] === HANDSHAKE) secure?.call(server, socket);
      else refuse(socket);
    };
    socket.once('readable', begin).on('error', ignore).setTimeout(PATIENCE, giveUp);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  return (all) => {
    for (const socket of all ? open : silent) socket.destroy();
  };
}
