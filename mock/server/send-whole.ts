import type { ServerResponse } from 'node:http';
import type { MockResponse } from '../exchange/exchange.ts';
import { memoize, memoizeReusable } from '../exchange/memoize.ts';
import { bytesOf } from './send.ts';

const { STATUS_CODES, validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');

/** In milliseconds, as Node has it; clients are told. */
export const KEEP_ALIVE_MS = 5000;

/**
 * Writes a response as one text of Latin-1 on a connection that stays open: a sixth of the CPU time of a list less than
 * through `ServerResponse`, which joins head and body anew each time. False: it needs what only that class does, such as
 * to refuse names and values that no header can have. No header says anything of the connection: neither a document's
 * (`mock/http/header-value.ts`) nor a rule's (`mock/preferences/read-answer.ts`).
 */
export function sendWhole(response: MockResponse, outgoing: ServerResponse): boolean {
  const { status, body, fault } = response;
  const { socket } = outgoing;
  // The socket of a response that has to wait for an earlier one is null.
  if (!socket?.writable || !outgoing.shouldKeepAlive || fault !== undefined || typeof body === 'function')
    return false;
  // RFC 9112 §6.3: no body follows.
  if (status === 204 || status === 304 || outgoing.req.method === 'HEAD') return false;
  const message = messageOf(response);
  if (!message.isSendable) return false;
  outgoing.statusCode = status;
  socket.write(message.textIn(Math.trunc(Date.now() / 1000)), 'latin1');
  // What Node does when the last byte is with the socket: the next request of the connection has its turn.
  outgoing.emit('finish');
  return true;
}

interface Fields {
  /** Lines of the head. */
  readonly text: string;
  readonly areSendable: boolean;
  readonly hasDate: boolean;
}

/** Most responses of an operation share one object of headers. */
const fieldsOf = memoize((headers: MockResponse['headers']): Fields => {
  const names = Object.keys(headers);
  return {
    text: names.map((name) => `${name}: ${headers[name]}\r\n`).join(''),
    areSendable: names.every((name) => isSendable(name, headers[name])),
    hasDate: names.some((name) => name.toLowerCase() === 'date'),
  };
});

function isSendable(name: string, value: string | undefined): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value as string);
    return true;
  } catch {
    return false;
  }
}

/** A response but for its date; one that is reused is joined once in a second. */
class Message {
  readonly isSendable: boolean;
  readonly #start: string;
  readonly #end: string;
  readonly #hasDate: boolean;
  /** The second of its text, since 1970. */
  #second = -1;
  #text = '';

  constructor({ status, headers, body }: MockResponse) {
    const { text, areSendable, hasDate } = fieldsOf(headers);
    this.isSendable = areSendable;
    const bytes = bytesOf(body as string | Uint8Array);
    this.#start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${text}Content-Length: ${bytes.length}\r\n`;
    this.#end = bytes;
    this.#hasDate = hasDate;
  }

  textIn(second: number): string {
    if (this.#second !== second) {
      this.#second = second;
      this.#text = `${this.#start}${this.#hasDate ? '' : dateLine(second)}${KEEP_ALIVE}${this.#end}`;
    }
    return this.#text;
  }
}

const messageOf = memoizeReusable((response: MockResponse) => new Message(response));

const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;

let latest = { second: -1, line: '' };

/** RFC 9110 §6.6.1. */
function dateLine(second: number): string {
  if (latest.second !== second)
    latest = { second, line: `Date: ${new Date(second * 1000).toUTCString()}\r\n` };
  return latest.line;
}
