import { type Field, isToken, listOf } from './fields.ts';
import { MalformedMessage } from './malformed-message.ts';

/** How a body is delimited: by a number of bytes, by chunks, or by the end of the connection (RFC 9112 §6). */
export type BodyLength = number | 'chunked' | 'until close';

/** @throws MalformedMessage where the length is unclear: what follows could be read as another request */
export function requestBodyLength(fields: readonly Field[], version: string): BodyLength {
  const codings = listOf(fields, 'transfer-encoding');
  const length = contentLength(fields);
  if (codings.length === 0 && !has(fields, 'transfer-encoding')) return length ?? 0;
  if (length !== undefined)
    throw new MalformedMessage('a request must not have both Content-Length and Transfer-Encoding');
  if (version === 'HTTP/1.0') throw new MalformedMessage('HTTP/1.0 has no Transfer-Encoding');
  if (!isChunked(codings)) throw new MalformedMessage('the last coding of Transfer-Encoding must be chunked');
  return 'chunked';
}

/**
 * @param method of the request
 * @throws MalformedMessage likewise
 */
export function responseBodyLength(fields: readonly Field[], status: number, method: string): BodyLength {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0;
  const codings = listOf(fields, 'transfer-encoding');
  if (isChunked(codings)) return 'chunked';
  const names = codings.map((coding) => coding.replace(/[ \t]*;.*$/, ''));
  if (names.includes('chunked') || !names.every(isToken))
    throw new MalformedMessage('Transfer-Encoding may be taken for chunked, and is not');
  if (codings.length > 0) return 'until close';
  if (has(fields, 'transfer-encoding')) throw new MalformedMessage('Transfer-Encoding names no coding');
  return contentLength(fields) ?? 'until close';
}

function has(fields: readonly Field[], key: string): boolean {
  return fields.some((field) => field.key === key);
}

function isChunked(codings: readonly string[]): boolean {
  return codings.length > 0 && codings.indexOf('chunked') === codings.length - 1;
}

function contentLength(fields: readonly Field[]): number | undefined {
  const lengths = fields.filter(({ key }) => key === 'content-length');
  if (lengths.length > 1) throw new MalformedMessage('Content-Length is there more than once');
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (!/^\d{1,15}$/.test(length.value)) throw new MalformedMessage('Content-Length is not a number of bytes');
  return Number(length.value);
}
