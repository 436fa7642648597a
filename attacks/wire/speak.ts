import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is sent on one connection. */
export interface Speech {
  /** Sent one after another; between them the sender waits. */
  readonly pieces: readonly Buffer[];
  /** Between two pieces, in milliseconds. */
  readonly pause: number;
  /** How the sender leaves: it waits for an answer, says at once that nothing follows, or is gone without a word. */
  readonly leaves: 'when answered' | 'half-closed' | 'by reset';
}

/** The longest time for a connection, in milliseconds; only a server that hangs comes near it. */
const PATIENCE = 15_000;

/** Says it, and gives all that came back until the connection was closed. Rejects when that takes too long. */
export async function speak(port: number, { pieces, pause, leaves }: Speech): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const patience = setTimeout(() => socket.destroy(new Error('hangs')), PATIENCE);
  let problem: NodeJS.ErrnoException | undefined;
  socket.on('error', (error) => {
    problem = error;
  });
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    // Whatever follows the first answer is sent before this is seen.
    if (leaves === 'when answered') socket.end();
  });
  socket.on('end', () => socket.end());
  await say(socket, pieces, pause);
  if (leaves === 'half-closed') socket.end();
  if (leaves === 'by reset') socket.resetAndDestroy();
  await closed;
  clearTimeout(patience);
  if (problem?.message === 'hangs') throw new Error(`neither answered nor closed within ${PATIENCE} ms`);
  // Who is refused while it still sends may see a reset after the answer: that is TCP, and no fault.
  if (problem && !['ECONNRESET', 'EPIPE'].includes(problem.code ?? '')) throw problem;
  return Buffer.concat(chunks);
}

async function say(socket: Socket, pieces: readonly Buffer[], pause: number): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(pause);
    if (socket.destroyed) return;
    socket.write(piece);
  }
}
