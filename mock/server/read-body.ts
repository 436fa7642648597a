import type { IncomingMessage } from 'node:http';

/** RFC 9112 §6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body. Keeps no more than `maxBytes`, and reports a longer one at once. One that breaks off is never used: Node
 * then ends the connection.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  use: (body: Uint8Array | 'too large') => void,
): void {
  if (Number(request.headers['content-length']) > maxBytes) {
    use('too large');
    return;
  }
  const pieces: Buffer[] = [];
  let left = maxBytes;
  const take = (piece: Buffer) => {
    left -= piece.length;
    if (left >= 0) {
      pieces.push(piece);
      return;
    }
    request.off('data', take).off('end', end);
    use('too large');
  };
  const end = () => use(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
  request.on('data', take).once('end', end);
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
