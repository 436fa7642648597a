import type { IncomingMessage } from 'node:http';
import { endToEnd, type Fields, fieldsOf, listOf } from '#forwarder';
import { decodableCodings, streamFormatOf } from '#spec';

/** A request that is not sent on, with what its client is answered. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query (RFC 9112 §3.2.1), or `*`; with CONNECT host and port. */
  readonly target: string;
  /** What the client names before the path, if it names a whole URL, where the proxy forwards. */
  readonly origin: string | undefined;
  readonly fields: Fields;
  readonly hasBody: boolean;
  /** All that it says: what two equal requests have in common. */
  readonly identity: string;
}

/**
 * @param forwards clients take the proxy for one that leads everywhere (CONNECT, whole URLs)
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

/** A client that takes the proxy for one that leads everywhere names a whole URL (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (rest === undefined) throw new Refusal('the target of the request is neither a path nor a URL');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** @throws Refusal for what readers of URLs understand in several ways */
function originIn(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return undefined;
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(target) ?? [];
  const url = /[@\\]/.test(authority) ? null : URL.parse(target);
  if (!url) throw new Refusal('the target of the request names no host');
  return url.origin;
}

/**
 * The fields of a request as the target gets them.
 * @param host that Host names; undefined: it stays as it came
 */
export function onwardFields({ method, fields, hasBody }: RequestHead, host: string | undefined): Fields {
  const isChunked = listOf(fields, 'transfer-encoding').length > 0;
  // Nothing but chunks has trailers to announce.
  const sent = endToEnd(fields).filter(([name]) => isChunked || !/^trailer$/i.test(name));
  const kept = sent.map(([name, value]) => {
    const key = name.toLowerCase();
    if (key === 'host') return [name, host ?? value] as const;
    // What came compressed in another way could not be judged.
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

/** Methods whose requests say that they have no body by saying nothing of one (RFC 9110 §8.6). */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** What a response says before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly fields: Fields;
  /** All that it says, but for Date: what two equal responses have in common. */
  readonly identity: string;
}

export function responseHead({
  statusCode: status = 0,
  statusMessage = '',
  rawHeaders,
}: IncomingMessage): ResponseHead {
  const fields = fieldsOf(rawHeaders);
  const same = fields.filter(([name]) => !/^date$/i.test(name));
  // Node reads control characters there, and writes none.
  const reason = statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  return { status, reason, fields, identity: `${status} ${reason}\n${same.join('\n')}` };
}

/** Whether a response is messages that come one by one, and may never end. */
export function isStream({ fields }: Pick<ResponseHead, 'fields'>): boolean {
  return fields.some(([name, value]) => /^content-type$/i.test(name) && streamFormatOf(value) !== undefined);
}

/** Bytes; what is smaller costs more to keep than it is long, and holds on to the packet in which it came. */
const SMALL = 1024;
/** Small parts that are kept one by one. */
const MOST_SMALL = 256;

/** Content that is kept as it comes: a message in chunks of one byte takes the memory of its bytes, all the same. */
export class Content {
  readonly #parts: Buffer[] = [];
  /** The last ones of the parts. */
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
