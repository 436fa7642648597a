import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Feed, Reply } from '../answer/exchange.ts';
import { keptWith } from '../answer/kept-with.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** A reply as `node:http` takes it. */
interface Wire {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Each character is one byte, so that headers and body go out in one write, and nothing is encoded. */
  readonly bytes: string;
}

/** Writes a reply to a connection, which it ends when the server is closing. */
export function send(reply: Reply, response: ServerResponse, closing: boolean): void {
  const { status, headers, fault } = reply;
  if (fault === 'drop') {
    response.destroy();
    return;
  }
  if (!isWhole(reply)) {
    response.writeHead(status, { ...headers });
    feed(reply.body as Feed, response);
    return;
  }
  if (closing) response.shouldKeepAlive = false;
  const wire = reply.lasting ? wireOfLasting(reply) : compileWire(reply);
  response.writeHead(status, wire.headers as string[]);
  const { bytes } = wire;
  if (fault === 'truncate')
    response.write(bytes.slice(0, bytes.length / 2), 'latin1', () => response.destroy());
  else response.end(bytes, 'latin1');
}

/** A reply whose body is there as a whole. */
interface WholeReply extends Reply {
  readonly body: string | Uint8Array;
}

const isWhole = (reply: Reply): reply is WholeReply => typeof reply.body !== 'function';

const wireOfLasting = keptWith(compileWire);

function compileWire({ status, headers, body }: WholeReply): Wire {
  const bytes = typeof body === 'string' ? utf8(body) : Buffer.from(body).toString('latin1');
  const listed = listOf(headers);
  // RFC 9110 §8.6: a 204 has no Content-Length.
  if (status === 204) return { headers: listed, bytes };
  return { headers: [...listed, 'Content-Length', `${bytes.length}`], bytes };
}

/** Most answers of an operation share one object of headers. */
const listOf = keptWith((headers: Reply['headers']): readonly string[] => Object.entries(headers).flat());

/** The bytes of a text; those of ASCII are the text itself. */
function utf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** A reader that does not keep up would fill the memory, and is let go. */
const LONGEST_BACKLOG = 2 ** 20;

function feed(body: Feed, response: ServerResponse): void {
  const stop = body({
    write(text) {
      response.write(text);
      if (response.writableLength > LONGEST_BACKLOG) response.destroy();
    },
    end: () => response.end(),
  });
  response.once('close', stop);
}

/**
 * Waits until all is answered that came whole on a connection: a refusal of what follows, written at once, would be
 * taken for the answer of the first of them. Node tells nowhere else which answer is being written.
 */
export function afterAnswers(socket: Duplex, then: () => void): void {
  const { _httpMessage: answer } = socket as Duplex & { readonly _httpMessage?: ServerResponse | null };
  if (!answer?.req.complete) then();
  // A feed has no end to wait for.
  else if (answer.headersSent && !answer.writableEnded) socket.destroy();
  else answer.once('close', () => setImmediate(afterAnswers, socket, then));
}

/** Answers what never became a request, and ends the connection. */
export function sendRaw({ status, headers, body }: Reply, socket: Duplex): void {
  if (!socket.writable || typeof body === 'function') return;
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
