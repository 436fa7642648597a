import type { IncomingMessage } from 'node:http';

/**
 * The body of a request; undefined: it has none (RFC 9112 §6.3). Keeps no more than `maxBytes`, and says so as
 * soon as there are more. Rejects when the body breaks off.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): undefined | 'too large' | Promise<Uint8Array | 'too large'> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return undefined;
  if (Number(length) > maxBytes) return 'too large';
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    request.on('data', (chunk: Buffer) => {
      total += chunk.length;
      if (total <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('too large');
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
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
