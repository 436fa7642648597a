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

/** Sends a request as it is written here, and gives its one response. */
export async function exchange(port: number, text: string): Promise<WireResponse> {
  const pieces = [Buffer.from(text, 'latin1')];
  const { responses } = readResponses(await send(port, { pieces, pause: 0, ending: 'after the response' }));
  if (!responses[0]) throw new Error(`no response to ${JSON.stringify(text.slice(0, 200))}`);
  return responses[0];
}

/** One response as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  /** By lower-case name; the last one counts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** All responses of a connection; `rest` holds what is no whole response. */
export interface WireResponses {
  readonly responses: readonly WireResponse[];
  readonly rest: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const STRICT_STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+): ([\x20-\x7e]*)$/;

/**
 * Reads the bytes of a connection more strictly than clients do: RFC 9112 without its allowances for recipients.
 * @param heads how many of the first responses belong to HEAD requests, and so have no body
 * @throws Error at the first byte that no response can have
 */
export function readResponses(bytes: Buffer, heads = 0): WireResponses {
  const responses: WireResponse[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return { responses, rest };
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(STRICT_STATUS_LINE.exec(statusLine)?.[1] ?? fail(`no status line: ${statusLine}`));
    const headers = new Map(lines.map(readField));
    const length = headers.get('content-length');
    const bare = status < 200 || status === 204 || responses.length < heads;
    if (!bare && !/^\d+$/.test(length ?? '')) fail(`no Content-Length: ${lines.join(' | ')}`);
    const begin = end + HEAD_END.length;
    const size = bare ? 0 : Number(length);
    if (rest.length < begin + size) return { responses, rest };
    if (status >= 200) responses.push({ status, headers, body: rest.subarray(begin, begin + size) });
    rest = rest.subarray(begin + size);
  }
}

function readField(line: string): [string, string] {
  const [, name, value] = FIELD.exec(line) ?? fail(`no header: ${line}`);
  return [(name as string).toLowerCase(), value as string];
}

function fail(message: string): never {
  throw new Error(message);
}

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: [^\r\n]*)?\r\n/;

/**
 * How many final responses a client would see in the bytes of a connection that has ended, by RFC 9112 §6.3 alone.
 * @throws Error for what no client can read, and for what is left when the last one is whole
 */
export function countResponses(bytes: string): number {
  let count = 0;
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [, minor, code] = STATUS_LINE.exec(rest) ?? [];
    // It broke off: so does the connection.
    if (end < 0)
      return 'HTTP/1.1 '.startsWith(rest.slice(0, 9)) || code !== undefined ? count : unreadable(rest);
    if (code === undefined) return unreadable(rest);
    const lines = rest.slice(0, end).split('\r\n').slice(1);
    rest = rest.slice(end + 4);
    if (code === '101') return count + 1;
    if (code.startsWith('1')) continue;
    count += 1;
    if (code === '204' || code === '304') continue;
    const valuesOf = (name: string) =>
      lines.flatMap((line) =>
        line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : [],
      );
    const [codings, lengths] = [valuesOf('transfer-encoding'), valuesOf('content-length')];
    if (codings.length > 0 && (lengths.length > 0 || minor === '0')) return unreadable(lines.join(' | '));
    if (lengths.length > 1) return unreadable(lines.join(' | '));
    if (codings.length > 0) rest = /(?:^|,)\s*chunked$/i.test(codings.join(',')) ? afterChunks(rest) : '';
    else if (lengths[0] !== undefined)
      rest = rest.slice(/^\d+$/.test(lengths[0]) ? Number(lengths[0]) : unreadable(lengths[0]));
    else rest = '';
  }
  return count;
}

function afterChunks(text: string): string {
  for (let rest = text; ; ) {
    const end = rest.indexOf('\r\n');
    if (end < 0) return '';
    const size = Number.parseInt(/^[0-9a-f]+/i.exec(rest)?.[0] ?? unreadable(rest), 16);
    if (size === 0)
      return rest.slice(rest.indexOf('\r\n\r\n', end) < 0 ? rest.length : rest.indexOf('\r\n\r\n', end) + 4);
    rest = rest.slice(end + 2 + size + 2);
  }
}

function unreadable(text: string): never {
  throw new Error(`no client can read ${JSON.stringify(text.slice(0, 200))}`);
}
