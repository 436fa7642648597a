import type { IncomingMessage } from 'node:http';
import { maxHeaderSize } from '#platform';
import { isControlPath } from '../control/path.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';

/** Path, query and headers of a request; or why HTTP requires a refusal. */
export function readTarget(
  request: IncomingMessage,
): Pick<MockRequest, 'path' | 'query' | 'headers'> | Refusal {
  const { headers } = request;
  const problem = hostProblem(request);
  if (problem !== undefined) return { refuse: 'malformed', message: problem };
  const url = request.url as string;
  if (url.startsWith('/')) return split(url, headers);
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined) return split(url, headers);
  if (authority === '' || !HOST.test(authority))
    return { refuse: 'malformed', message: `The target of the request names no host: ${url}` };
  // Host stays as sent: the control API recognizes foreign pages by it, and no page can send a target in this form.
  return split(rest.startsWith('/') ? rest : `/${rest}`, headers);
}

function split(target: string, headers: MockRequest['headers']) {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: '', headers };
  return { path: target.slice(0, mark), query: target.slice(mark + 1), headers };
}

/** RFC 9112 §3.2. Node would refuse a missing Host without a response body, and use the first of several. */
function hostProblem(request: IncomingMessage): string | undefined {
  const { host } = request.headers;
  if (host === undefined) return request.httpVersion === '1.1' ? 'The header Host is missing' : undefined;
  if (!HOST.test(host)) return `The header Host is no host with a port: ${host}`;
  const { rawHeaders } = request;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? 'There is more than one header Host' : undefined;
}

/** uri-host and port of RFC 9112 §3.2; empty for a URL without an authority. */
const HOST =
  /^(?:\[(?:[\da-f:.]+|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** The absolute-form of RFC 9112 §3.2.2, as sent to proxies: authority, path and query. */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is;

/** RFC 9112 §6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body. Keeps at most `maxBytes`, and reports a longer one at once. An incomplete body is never used: Node closes
 * the connection.
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

/**
 * Reads and discards the rest of a body: closing at once would reset the connection before the client reads the response. A
 * client that keeps sending is disconnected.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  const cut = setTimeout(() => request.destroy(), DRAIN_MS).unref();
  request.once('close', () => clearTimeout(cut)).resume();
}

const DRAIN_MS = 2000;

/** The maximum length of a request's body, in bytes. */
export type BodyLimit = (request: Pick<MockRequest, 'path' | 'headers'>) => number;

/** In bytes; a state to restore may be large. */
const LONGEST_STATE = 2 ** 26;

/** Only clients with access to the control API get the higher limit. */
export function compileBodyLimit(
  maxBody: number,
  mayControl: (request: Pick<MockRequest, 'headers'>) => boolean,
): BodyLimit {
  return (request) =>
    isControlPath(request.path) && mayControl(request) ? Math.max(maxBody, LONGEST_STATE) : maxBody;
}

/**
 * Applies the limit of Node's parser to requests without a socket: it counts the target, and the headers' names and values.
 */
export function refuseLongHead(
  target: string,
  headers: Iterable<readonly [string, string]>,
): Refusal | undefined {
  const most = maxHeaderSize();
  let size = target.length;
  if (size >= most) return TARGET_TOO_LONG;
  for (const [name, value] of headers) size += name.length + value.length;
  return size >= most ? HEADERS_TOO_LARGE : undefined;
}

/** Whether the request line was too long for Node's parser: no line has ended yet. */
export function isLongTarget(packet: Uint8Array | undefined): boolean {
  const text = Buffer.from(packet ?? []).toString('latin1');
  const end = text.indexOf('\n');
  return /^[A-Z]+ \S/.test(text) && (end < 0 || end >= maxHeaderSize());
}

export const TARGET_TOO_LONG: Refusal = { refuse: 'target too long', message: 'The URL is too long' };

export const HEADERS_TOO_LARGE: Refusal = {
  refuse: 'headers too large',
  message: 'The headers are too long',
};
