import type { Socket } from 'node:net';

/** Bytes on their way to a socket: what is added while one event is handled is one write. */
export interface Outlet {
  add(bytes: Buffer): void;
  /** False: the socket has enough for now (`drain` tells when it takes more). */
  flush(socket: Socket): boolean;
  /** Bytes that were added, and not yet flushed. */
  waiting(): number;
}

export function createOutlet(): Outlet {
  let parts: Buffer[] = [];
  return {
    add(bytes) {
      const last = parts.at(-1);
      if (last && isNext(last, bytes)) {
        const { buffer, byteOffset, length } = last;
        parts[parts.length - 1] = Buffer.from(buffer, byteOffset, length + bytes.length);
      } else parts.push(bytes);
    },
    waiting: () => parts.reduce((sum, { length }) => sum + length, 0),
    flush(socket) {
      if (parts.length === 0) return true;
      const all = parts;
      parts = [];
      if (all.length === 1) return socket.write(all[0] as Buffer);
      socket.cork();
      let takesMore = true;
      for (const part of all) takesMore = socket.write(part);
      socket.uncork();
      return takesMore;
    },
  };
}

/** What passes unchanged lies in memory as it came: head and body need not become two writes. */
function isNext(one: Buffer, other: Buffer): boolean {
  return one.buffer === other.buffer && one.byteOffset + one.length === other.byteOffset;
}

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
