import type { Server, Socket } from 'node:net';

/** A TLS record of a handshake (RFC 8446 §5.1), with which each client of https begins. */
const HANDSHAKE = 0x16;

/** Milliseconds for a client that connects to say something. */
const PATIENCE = 60_000;

/**
 * Lets a server of https see what speaks plain http to it, where TLS would only end the connection: `refuse` may write to
 * that client, and ends it.
 * @returns what ends the connections on which nothing has come, or all of them: the server knows of neither
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
      // The client has ended.
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
