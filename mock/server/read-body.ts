import type { IncomingMessage } from 'node:http';

/** The body of a request; undefined: it has none (RFC 9112 §6.3). Reads no more than `maxBytes`. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): undefined | Promise<Uint8Array | 'too large' | undefined> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return undefined;
  if (Number(length) > maxBytes) return Promise.resolve('too large');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    request.on('data', (chunk: Buffer) => {
      total += chunk.length;
      if (total > maxBytes) resolve('too large');
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}
