import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Feed, FeedReader, MockResponse } from '../http/exchange.ts';
import { memoizeReusable } from '../http/memoize.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Writes a response to a connection, and closes the connection if the server is closing. */
export function send(response: MockResponse, outgoing: ServerResponse, closing: boolean): void {
  const { status, headers, body, fault } = response;
  if (fault === 'drop') {
    leaveUnread(response);
    outgoing.destroy();
    return;
  }
  if (typeof body === 'function') {
    outgoing.writeHead(status, response.fields ? [...response.fields] : { ...headers });
    // RFC 9110 §9.3.2: there is no body to wait for.
    if (outgoing.req.method === 'HEAD') outgoing.end();
    else feed(body, outgoing);
    return;
  }
  if (closing) outgoing.setHeader('Connection', 'close');
  const { headerList, bytes } = encode(response);
  outgoing.writeHead(status, headerList as string[]);
  if (fault !== 'truncate') outgoing.end(bytes, 'latin1');
  else outgoing.write(bytes.slice(0, bytes.length / 2), 'latin1', () => outgoing.destroy());
}

const NOBODY: FeedReader = { write() {}, end() {}, taken: () => undefined, breakOff() {} };

/** Stops a stream that no client reads, since a real service may be sending it. */
export function leaveUnread({ body }: MockResponse): void {
  if (typeof body === 'function') body(NOBODY)();
}

/**
 * A response in the form of `node:http`: alternating header names and values, and a character for each byte, so that
 * headers and body are one write without encoding.
 */
const encode = memoizeReusable(({ status, headers, body, fields }: MockResponse) => {
  const bytes = bytesOf(body as string | Uint8Array);
  if (fields) return { headerList: fields, bytes };
  const headerList = listOf(headers);
  // RFC 9110 §8.6: a 204 has no Content-Length.
  if (status === 204) return { headerList, bytes };
  return { headerList: [...headerList, 'Content-Length', `${bytes.length}`], bytes };
});

/** Most responses of an operation share one headers object. */
const listOf = memoizeReusable((headers: MockResponse['headers']): readonly string[] =>
  Object.entries(headers).flat(),
);

/** A character for each byte; ASCII text stays as it is. */
function bytesOf(body: string | Uint8Array): string {
  if (typeof body !== 'string') return Buffer.from(body).toString('latin1');
  return Buffer.byteLength(body) === body.length ? body : Buffer.from(body).toString('latin1');
}

/** In bytes. A reader that is too slow would fill the memory, and is disconnected. */
const LONGEST_BACKLOG = 2 ** 20;

function feed(body: Feed, outgoing: ServerResponse): void {
  // Sent at once, since the client waits for headers and the first data may take a while.
  outgoing.flushHeaders();
  let drained: PromiseWithResolvers<void> | undefined;
  const goOn = () => {
    drained?.resolve();
    drained = undefined;
  };
  const stop = body({
    write(part) {
      outgoing.write(part);
      if (outgoing.writableLength > LONGEST_BACKLOG) outgoing.destroy();
    },
    end: () => outgoing.end(),
    taken() {
      if (!outgoing.writableNeedDrain || outgoing.destroyed) return undefined;
      drained ??= Promise.withResolvers();
      return drained.promise;
    },
    breakOff(text) {
      if (text === '') outgoing.destroy();
      else outgoing.write(text, () => outgoing.destroy());
    },
  });
  outgoing.on('drain', goOn).once('close', goOn).once('close', stop);
}

/** Responds to an invalid request, and closes the connection. */
export function sendRaw({ status, headers, body }: MockResponse, socket: Duplex): void {
  if (!socket.writable || typeof body === 'function') return;
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

interface Pending {
  readonly response: MockResponse;
  readonly outgoing: ServerResponse;
}

/** The most responses to collect, so that the first need not wait for a thousand others. */
const MOST_PENDING = 64;

/**
 * Sends all responses of an event loop's turn together when it ends. Each write to a socket wakes its reader, which costs
 * more than making the response; together, most find their reader awake.
 */
export function createOutbox(
  send: (response: MockResponse, outgoing: ServerResponse) => void,
): (response: MockResponse, outgoing: ServerResponse) => void {
  let pending: Pending[] = [];

  function flush(): void {
    const ready = pending;
    pending = [];
    for (const { response, outgoing } of ready) send(response, outgoing);
  }

  return (response, outgoing) => {
    const waiting = pending.push({ response, outgoing });
    if (waiting === 1) setImmediate(flush);
    else if (waiting === MOST_PENDING) flush();
  };
}
