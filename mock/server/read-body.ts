import type { IncomingMessage } from 'node:http';

/** RFC 9112 §6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Hands a body on. Keeps no more than `maxBytes`, and says so as soon as it knows that there are more. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  use: (body: Uint8Array | 'too large') => void,
  /** Called instead when the body breaks off. */
  onBroken: () => void,
): void {
  if (Number(request.headers['content-length']) > maxBytes) {
    use('too large');
    return;
  }
  const chunks: Buffer[] = [];
  let total = 0;
  request.on('data', (chunk: Buffer) => {
    const wasLess = total <= maxBytes;
    total += chunk.length;
    if (total <= maxBytes) chunks.push(chunk);
    else if (wasLess) {
      chunks.length = 0;
      use('too large');
    }
  });
  request.on('end', () => {
    if (total <= maxBytes) use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  });
  request.on('error', () => {
    if (total <= maxBytes) onBroken();
  });
}

const DRAIN_MS = 2000;

/**
 * Lets a client finish sending what nobody reads: closing at once would reset the connection, and the client
 * would never see the answer. One that goes on and on is cut off.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  const cut = setTimeout(() => request.destroy(), DRAIN_MS);
  cut.unref();
  request.once('close', () => clearTimeout(cut)).resume();
}
