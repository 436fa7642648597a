import type { IncomingMessage } from 'node:http';
import { endToEnd, type Fields, fieldsOf, listOf } from '#forwarder';
import { decodableCodings, streamFormatOf } from '#spec';

/** A request that is not forwarded, with the response to its client. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** The part of a request before its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query (RFC 9112 §3.2.1), or `*`; with CONNECT host and port. */
  readonly target: string;
  /** The origin in the client's request line, if it is a whole URL and the proxy forwards. */
  readonly origin: string | undefined;
  readonly fields: Fields;
  readonly hasBody: boolean;
  /** The complete head: equal for equal requests. */
  readonly identity: string;
}

/**
 * @param forwards clients use the proxy as a forward proxy (CONNECT, whole URLs)
 * @throws Refusal
 */
export function readRequestHead(incoming: IncomingMessage, forwards: boolean): RequestHead {
  const { method = '', url = '', rawHeaders, headers, httpVersion } = incoming;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new Refusal('only HTTP/1.1 and HTTP/1.0 are spoken here', 505);
  const fields = fieldsOf(rawHeaders);
  if (headers.host !== undefined && fields.filter(([name]) => /^host$/i.test(name)).length > 1)
    throw new Refusal('Host is there more than once');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && !/^chunked$/i.test(coding)) throw new Refusal(`${NO_CODINGS}: ${coding}`, 501);
  const isTunnel = method === 'CONNECT';
  return {
    method,
    target: isTunnel ? url : originForm(url),
    origin: forwards && !isTunnel ? originIn(url) : undefined,
    fields,
    hasBody: coding !== undefined || Number(headers['content-length'] ?? 0) > 0,
    identity: `${method} ${url}\n${rawHeaders.join('\n')}`,
  };
}

const NO_CODINGS = 'the only transfer coding that is known here is chunked';

/** A client of a forward proxy sends a whole URL (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (rest === undefined) throw new Refusal('the target of the request is neither a path nor a URL');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** @throws Refusal for a URL that parsers interpret differently */
function originIn(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return undefined;
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(target) ?? [];
  const url = /[@\\]/.test(authority) ? null : URL.parse(target);
  if (!url) throw new Refusal('the target of the request names no host');
  return url.origin;
}

/**
 * The fields of a request for the target.
 * @param host for the Host header; undefined: it is kept
 */
export function onwardFields({ method, fields, hasBody }: RequestHead, host: string | undefined): Fields {
  const isChunked = listOf(fields, 'transfer-encoding').length > 0;
  // Only chunked messages have trailers.
  const sent = endToEnd(fields).filter(([name]) => isChunked || !/^trailer$/i.test(name));
  const kept = sent.map(([name, value]) => {
    const key = name.toLowerCase();
    if (key === 'host') return [name, host ?? value] as const;
    // Other compressions could not be judged.
    return key === 'accept-encoding' ? ([name, decodableCodings(value)] as const) : ([name, value] as const);
  });
  const hasLength = kept.some(([name]) => /^content-length$/i.test(name));
  return [
    ...kept,
    ...(host !== undefined && !kept.some(([name]) => /^host$/i.test(name)) ? [['Host', host] as const] : []),
    ...(isChunked ? [['Transfer-Encoding', 'chunked'] as const] : []),
    ...(!hasBody && !hasLength && !BODILESS.has(method) ? [['Content-Length', '0'] as const] : []),
    ...(listOf(fields, 'te').includes('trailers')
      ? [['TE', 'trailers'] as const, ['Connection', 'TE'] as const]
      : []),
  ];
}

/** Methods whose requests have no body unless they say so (RFC 9110 §8.6). */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The part of a response before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly fields: Fields;
  /** The complete head without Date: equal for equal responses. */
  readonly identity: string;
}

export function responseHead({
  statusCode: status = 0,
  statusMessage = '',
  rawHeaders,
}: IncomingMessage): ResponseHead {
  const fields = fieldsOf(rawHeaders);
  const same = fields.filter(([name]) => !/^date$/i.test(name));
  // Node reads control characters there, but cannot write them.
  const reason = statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  return { status, reason, fields, identity: `${status} ${reason}\n${same.join('\n')}` };
}

/** Whether a response is a stream of messages, which may never end. */
export function isStream({ fields }: Pick<ResponseHead, 'fields'>): boolean {
  return fields.some(([name, value]) => /^content-type$/i.test(name) && streamFormatOf(value) !== undefined);
}

/** In bytes; keeping a smaller part costs more than its length, as it retains the packet in which it came. */
const SMALL = 1024;
/** The maximum number of small parts that are kept separately. */
const MOST_SMALL = 256;

/** Content as it arrives: even in chunks of one byte, it needs only the memory of its bytes. */
export class Content {
  readonly #parts: Buffer[] = [];
  /** The number of small parts at the end. */
  #small = 0;

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#small = part.length < SMALL ? this.#small + 1 : 0;
    if (this.#small < MOST_SMALL) return;
    this.#parts.push(Buffer.concat(this.#parts.splice(-MOST_SMALL)));
    this.#small = 0;
  }

  whole(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }
}
