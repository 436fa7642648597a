import { closeSync, openSync, writeSync } from 'node:fs';
import type { HeaderPair } from './recorded-exchange.ts';

/** A request and its response as they went over the wire. */
export interface WrittenExchange {
  readonly request: {
    readonly method: string;
    readonly url: URL;
    readonly headers: readonly HeaderPair[];
    readonly body: Uint8Array | undefined;
    /** Milliseconds since 1970. */
    readonly startedAt: number | undefined;
  };
  /** Undefined: none came. A body may still be compressed, as its headers say. */
  readonly response:
    | {
        readonly status: number;
        readonly headers: readonly HeaderPair[];
        readonly body: Uint8Array;
        readonly ms: number;
      }
    | undefined;
}

/** A HAR that is whole after each exchange, so that it can be read while it grows. */
export interface HarWriter {
  /** @returns false: the file would be larger than its limit, and the exchange was left out */
  add(exchange: WrittenExchange): boolean;
  close(): void;
}

const BEGIN = '{"log":{"version":"1.2","creator":{"name":"paddock","version":"1"},"entries":[';
const END = '\n]}}\n';

/**
 * Writes a HAR 1.2 for this user alone: credentials stand in it as they were sent.
 * @param file that is not there yet
 * @param limit of the file, in bytes
 */
export function createHarWriter(file: string, limit: number): HarWriter {
  const handle = openSync(file, 'wx', 0o600);
  let end = writeSync(handle, BEGIN);
  writeSync(handle, END, end);
  let separator = '\n';
  return {
    add(exchange) {
      const text = `${separator}${JSON.stringify(toEntry(exchange))}`;
      if (end + text.length > limit) return false;
      const bytes = Buffer.from(text + END);
      writeSync(handle, bytes, 0, bytes.length, end);
      end += bytes.length - END.length;
      separator = ',\n';
      return true;
    },
    close: () => closeSync(handle),
  };
}

function toEntry({ request, response }: WrittenExchange): object {
  const { startedAt, body, headers } = request;
  const ms = response?.ms ?? 0;
  return {
    ...(startedAt !== undefined && { startedDateTime: new Date(startedAt).toISOString() }),
    time: ms,
    request: {
      method: request.method,
      url: request.url.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(toPair),
      queryString: [...request.url.searchParams].map(toPair),
      ...(body?.length && { postData: { mimeType: typeOf(headers), ...toText(body) } }),
      headersSize: -1,
      bodySize: body?.length ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: response?.headers.map(toPair) ?? [],
      content: {
        size: response?.body.length ?? 0,
        mimeType: typeOf(response?.headers ?? []),
        ...(response?.body.length && toText(response.body)),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.body.length ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  };
}

/** The bytes themselves, whatever characters they are. */
function toText(bytes: Uint8Array) {
  return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
}

function toPair([name, value]: HeaderPair) {
  return { name, value };
}

function typeOf(headers: readonly HeaderPair[]): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}
