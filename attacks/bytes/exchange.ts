import fc from 'fast-check';
import type { Speech } from '../wire/speak.ts';

/** Bytes that a client sends on one connection, and what must come back. */
export interface Exchange extends Speech {
  /** It is a request, or broken beyond doubt, to its end: there must be an answer. */
  readonly complete: boolean;
  /** The request is a HEAD. */
  readonly isHead?: boolean;
}

export type Kind = readonly [name: string, share: number, exchanges: fc.Arbitrary<Exchange>];

export const HOST = 'Host: 127.0.0.1\r\n';
export const KEY = 'Authorization: Bearer paddock-dev-key\r\n';
export const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Texts of an exchange are Latin-1: each character is one byte. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

export function complete(text: string): Exchange {
  return { pieces: [bytes(text)], pause: 0, leaves: 'when answered', complete: true };
}

/** A POST with a body of the length that it says. */
export function posted(body: Buffer, headers = JSON_TYPE): Exchange {
  const head = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}${headers}Content-Length: ${body.length}\r\n\r\n`;
  return { ...complete(''), pieces: [Buffer.concat([bytes(head), body])] };
}

/** Any byte at all, as a Latin-1 text. */
export function anyBytes(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength, size: 'max' }).map((array) => Buffer.from(array).toString('latin1'));
}

/** Half of a text. */
export function half(text: string): string {
  return text.slice(0, text.length / 2);
}

/** A body that would make a record, with a name that tells where it came from. */
export function pet(name: string): string {
  return JSON.stringify({ name, categoryId: 1 });
}
