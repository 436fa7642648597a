import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Asked } from './serve.ts';

/** A connection that sends raw bytes. */
export interface Wire {
  send(text: string): void;
  /** Everything received until the other side closed; after the first bytes, it is told that nothing follows. */
  received(): Promise<string>;
}

export function dial(url: string): Wire {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  return {
    // A character is a byte, so that every byte can be sent.
    send: (bytes) => socket.write(bytes, 'latin1'),
    async received() {
      await Promise.race([begun, ended]);
      socket.end();
      await ended;
      return text;
    },
  };
}

export async function exchange(url: string, bytes: string): Promise<string> {
  const wire = dial(url);
  wire.send(bytes);
  return wire.received();
}

/** The parts of a response that tests check. */
export function parsed(text: string): Asked {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, body: undefined };
}

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
    /** So many response bodies; fewer if the server closes the connection before. */
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

/** Takes complete bodies out of consecutive responses; returns the rest, and how much it lacks at least. */
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

/** A plain Node server that responds with these texts, by target. */
export async function serveBare(texts: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((request, response) => response.end(texts[request.url as string]));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
