import { maxHeaderSize } from '#platform';
import { isControlPath } from '../control/path.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';

/** In bytes; a state to restore may be large. */
const LONGEST_STATE = 2 ** 26;

/** The longest body of a request, in bytes. */
export type BodyLimit = (request: Pick<MockRequest, 'path' | 'headers'>) => number;

/** A client without access to the control API gets no higher limit. */
export function compileBodyLimit(
  maxBody: number,
  mayControl: (request: Pick<MockRequest, 'headers'>) => boolean,
): BodyLimit {
  return (request) =>
    isControlPath(request.path) && mayControl(request) ? Math.max(maxBody, LONGEST_STATE) : maxBody;
}

export const TARGET_TOO_LONG: Refusal = { refuse: 'target too long', message: 'The URL is too long' };
export const HEADERS_TOO_LARGE: Refusal = {
  refuse: 'headers too large',
  message: 'The headers are too long',
};

/** What Node's parser refuses of a request through a socket: it counts the target, and names and values of headers. */
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

/** Whether what Node's parser found too long is the request line: no line has ended before. */
export function isLongTarget(packet: Uint8Array | undefined): boolean {
  const text = Buffer.from(packet ?? []).toString('latin1');
  const end = text.indexOf('\n');
  return /^[A-Z]+ \S/.test(text) && (end < 0 || end >= maxHeaderSize());
}
