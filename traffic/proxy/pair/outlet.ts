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
