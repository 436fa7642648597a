import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Fields } from '#forwarder';

/** A response of the proxy itself, instead of the target. */
export interface OwnResponse {
  readonly status: number;
  readonly fields: Fields;
  readonly body: Buffer;
}

/** It names the sender, so that nobody takes it for a response of the target. */
const NAME = 'paddock proxy';

/** A response with problem details (RFC 9457). @param problem its `detail` says what happened */
export function problemResponse(
  status: number,
  problem: Readonly<Record<string, unknown>> & { readonly detail: string },
  more: Fields = [],
): OwnResponse {
  const title = `${NAME}: ${STATUS_CODES[status] ?? 'Error'}`;
  const body = Buffer.from(`${JSON.stringify({ title, status, ...problem }, undefined, 2)}\n`);
  const fields: Fields = [
    ['Content-Type', 'application/problem+json'],
    ['Cache-Control', 'no-store'],
    ...more,
  ];
  return named({ status, fields, body }, problem.detail);
}

/**
 * The response with a header that names the sender.
 * @param detail what happened
 */
export function named({ status, fields, body }: OwnResponse, detail: string): OwnResponse {
  const value = JSON.stringify(detail)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500);
  const length: Fields = status === 204 ? [] : [['Content-Length', String(body.length)]];
  return { status, fields: [...fields, ...length, ['Paddock-Proxy', value]], body };
}

export function answer(outgoing: ServerResponse, { status, fields, body }: OwnResponse): void {
  outgoing.sendDate = false;
  outgoing.writeHead(status, fields.flat());
  outgoing.end(body);
}

/** Milliseconds that a client has to read the last response before its connection is closed. */
const LINGER = 2000;

/**
 * Responds where no request was read, and closes the connection. Further bytes from the client are read and discarded:
 * with unread bytes the system would reset the connection, and discard the response (RFC 9112 §9.6).
 * @param reason for the first line: many clients show nothing else for a rejected tunnel
 */
export function answerRaw(
  socket: Duplex,
  status: number,
  detail: string,
  reason = STATUS_CODES[status] ?? '',
): void {
  const { fields, body } = problemResponse(status, { detail }, [['Connection', 'close']]);
  const lines = [`HTTP/1.1 ${status} ${reason}`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  socket.on('error', () => {});
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
}
