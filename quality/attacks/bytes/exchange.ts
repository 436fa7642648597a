import fc from 'fast-check';
import type { Sent } from '../wire/send.ts';

/** Bytes that a client sends on one connection, and whether there must be a response. */
export interface Exchange extends Sent {
  /** It is a request, or broken beyond doubt, to its end: there must be a response. */
  readonly complete: boolean;
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

export function complete(text: string | Buffer): Exchange {
  const pieces = [typeof text === 'string' ? bytes(text) : text];
  return { pieces, pause: 0, ending: 'after the response', complete: true };
}

/** What the server may wait to see more of: the client says at once that nothing follows. */
export function incomplete(text: string): Exchange {
  return { ...complete(text), complete: false, ending: 'half-closed' };
}

/** The head of a POST that would create a record, up to the headers of its body. */
export const POST_HEAD = `POST /v1/pets HTTP/1.1\r\n${HOST}${KEY}`;

/** A POST with a body of the length that it says. */
export function posted(body: Buffer, headers = JSON_TYPE): Exchange {
  return complete(
    Buffer.concat([bytes(`${POST_HEAD}${headers}Content-Length: ${body.length}\r\n\r\n`), body]),
  );
}

/** Any bytes, as a Latin-1 text. */
export function anyBytes(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength, size: 'max' }).map((array) => Buffer.from(array).toString('latin1'));
}

/** A body that would create a record, with a name that shows where it came from. */
export function pet(name: string): string {
  return JSON.stringify({ name, categoryId: 1 });
}

/** One of the words of a text, or of others that may hold blanks. */
export function oneOf(words: string, ...others: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(' '), ...others);
}
