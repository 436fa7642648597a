import type { Socket } from 'node:net';

/** A connection as both its ends name it: from `address:port` to `address:port`. */
export function nameOf(socket: Socket, opened: 'by us' | 'by them'): string {
  const local = endOf(socket.localAddress, socket.localPort);
  const remote = endOf(socket.remoteAddress, socket.remotePort);
  return opened === 'by us' ? `${local} ${remote}` : `${remote} ${local}`;
}

function endOf(address = '', port = 0): string {
  // An IPv4 client of a socket that listens on IPv6.
  return `${address.replace(/^::ffff:/, '')}:${port}`;
}

/** Milliseconds that a client has to read the last response before its connection is cut. */
const LINGER = 2000;

/**
 * Ends a connection from our side. What the client still sends is read and thrown away: with unread bytes the system
 * would reset the connection, and take the response away from the client (RFC 9112 §9.6).
 */
export function linger(socket: Socket): void {
  if (socket.destroyed) return;
  socket.removeAllListeners('data').removeAllListeners('drain');
  socket.on('data', () => {});
  socket.resume();
  const cut = () => socket.destroy();
  let timer: NodeJS.Timeout | undefined;
  // What is still to be written may take any time.
  socket.end(() => {
    if (socket.readableEnded) cut();
    else {
      socket.once('end', cut);
      timer = setTimeout(cut, LINGER).unref();
    }
  });
  socket.once('close', () => clearTimeout(timer));
}
