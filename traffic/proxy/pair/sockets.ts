import type { Socket } from 'node:net';

/** Bytes on their way to a socket: what is added while one event is handled is one write. */
export class Outlet {
  #parts: Buffer[] = [];

  add(bytes: Buffer): void {
    const last = this.#parts.at(-1);
    if (last && isNext(last, bytes)) {
      const { buffer, byteOffset, length } = last;
      this.#parts[this.#parts.length - 1] = Buffer.from(buffer, byteOffset, length + bytes.length);
    } else this.#parts.push(bytes);
  }

  /** Bytes that were added, and not yet flushed. */
  get waiting(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** False: the socket has enough for now (`drain` says when it takes more). */
  flush(socket: Socket): boolean {
    const [first, ...others] = this.#parts;
    if (!first) return true;
    this.#parts = [];
    if (others.length === 0) return socket.write(first);
    socket.cork();
    let takesMore = socket.write(first);
    for (const part of others) takesMore = socket.write(part);
    socket.uncork();
    return takesMore;
  }
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
