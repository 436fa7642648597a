import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A client that sends all of its requests, and reads nothing until it is told to. */
export function silentReader(url: string, requests: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  const begun = once(socket, 'readable');
  socket.on('error', () => {}).write(requests);
  return {
    hasReceived: () => begun,
    leave: () => socket.resetAndDestroy(),
    /** So many bodies of responses; fewer where the server ends the connection before. */
    async read(count: number): Promise<Buffer[]> {
      const bodies: Buffer[] = [];
      let pieces: Buffer[] = [];
      let missing = 0;
      for await (const piece of socket) {
        pieces.push(piece);
        missing -= piece.length;
        if (missing > 0) continue;
        const taken = takeBodies(Buffer.concat(pieces), bodies);
        pieces = [taken.rest];
        missing = taken.missing;
        if (bodies.length >= count) break;
      }
      return bodies;
    },
  };
}

/** Moves whole bodies out of responses that follow each other; returns the rest, and how much it lacks at least. */
function takeBodies(bytes: Buffer, bodies: Buffer[]): { rest: Buffer; missing: number } {
  let rest = bytes;
  for (;;) {
    const start = rest.indexOf('\r\n\r\n') + 4;
    if (start < 4) return { rest, missing: 0 };
    const [, length] = /^content-length: (\d+)/im.exec(rest.toString('latin1', 0, start)) ?? [];
    const end = start + Number(length);
    if (end > rest.length) return { rest, missing: end - rest.length };
    bodies.push(rest.subarray(start, end));
    rest = rest.subarray(end);
  }
}

/** A server of Node's alone that responds with these texts, by their targets. */
export async function serveBare(texts: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((request, response) => response.end(texts[request.url as string]));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
