import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is sent on one connection. */
export interface Sent {
  readonly pieces: readonly Buffer[];
  /** Between two pieces, in milliseconds. */
  readonly pause: number;
  /** When and how the sender closes its side of the connection. */
  readonly ending: 'after the response' | 'half-closed' | 'reset';
}

/** Milliseconds; only a server that hangs comes near it. */
const TIMEOUT = 15_000;

/** Sends the pieces, and gives all that comes back until the connection closes. Rejects after the timeout. */
export async function send(port: number, { pieces, pause, ending }: Sent): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const timeout = setTimeout(() => socket.destroy(new Error('hangs')), TIMEOUT);
  let problem: NodeJS.ErrnoException | undefined;
  socket.on('error', (error) => {
    problem = error;
  });
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    // Whatever follows the first response is sent before this is seen.
    if (ending === 'after the response') socket.end();
  });
  socket.on('end', () => socket.end());
  await write(socket, pieces, pause);
  if (ending === 'half-closed') socket.end();
  if (ending === 'reset') socket.resetAndDestroy();
  await closed;
  clearTimeout(timeout);
  if (problem?.message === 'hangs') throw new Error(`neither answered nor closed within ${TIMEOUT} ms`);
  // A client that is refused while it still sends may see a reset after the response: that is TCP, and no fault.
  if (problem && !['ECONNRESET', 'EPIPE'].includes(problem.code ?? '')) throw problem;
  return Buffer.concat(chunks);
}

async function write(socket: Socket, pieces: readonly Buffer[], pause: number): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(pause);
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(piece);
  }
}
