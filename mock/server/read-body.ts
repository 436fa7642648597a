import type { IncomingMessage } from 'node:http';

/** RFC 9112 §6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Reads a body. Keeps no more than `maxBytes`, and reports a longer one at once. */
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
  let left = maxBytes;
  request.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    left -= chunk.length;
    if (left >= 0) chunks.push(chunk);
    else {
      chunks.length = 0;
      use('too large');
    }
  });
  request.on('end', () => {
    if (left >= 0) use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  });
  request.on('error', () => {
    if (left >= 0) onBroken();
  });
}

const DRAIN_MS = 2000;

/**
 * Reads the rest of a body that nobody uses: closing at once would reset the connection before the client sees the
 * response. A client that does not come to an end is cut off.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  const cut = setTimeout(() => request.destroy(), DRAIN_MS).unref();
  request.once('close', () => clearTimeout(cut)).resume();
}
