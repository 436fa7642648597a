import type { Socket } from 'node:net';

/** The connections that the proxy has opened itself: what comes in on one of them is a loop. */
export interface OwnConnections {
  add(socket: Socket): void;
  has(client: Socket): boolean;
}

export function createOwnConnections(): OwnConnections {
  const known = new WeakSet<Socket>();
  const names = new Set<string>();
  return {
    add(socket) {
      if (known.has(socket)) return;
      known.add(socket);
      const begin = () => {
        const name = `${endOf(socket.localAddress, socket.localPort)} ${endOf(socket.remoteAddress, socket.remotePort)}`;
        names.add(name);
        socket.once('close', () => names.delete(name));
      };
      if (socket.connecting) socket.once('connect', begin);
      else begin();
    },
    has: ({ remoteAddress, remotePort, localAddress, localPort }) =>
      names.has(`${endOf(remoteAddress, remotePort)} ${endOf(localAddress, localPort)}`),
  };
}

function endOf(address = '', port = 0): string {
  // An IPv4 client of a socket that listens on IPv6.
  return `${address.replace(/^::ffff:/, '')}:${port}`;
}
