import { STATUS_CODES } from 'node:http';
import {
  type BodyLength,
  type Field,
  forwardedLines,
  isToken,
  listOf,
  MalformedMessage,
  parseFields,
  requestBodyLength,
  responseBodyLength,
} from './fields.ts';

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query (RFC 9112 §3.2.1), or `*`; with CONNECT host and port. */
  readonly target: string;
  /** What the client names before the path, if it names a whole URL, where the proxy forwards. */
  readonly origin: string | undefined;
  readonly fields: readonly Field[];
  readonly length: BodyLength;
  /** The client asks for another protocol (RFC 9110 §7.8). */
  readonly upgrades: boolean;
  /** The client ends the connection after the response. */
  readonly closes: boolean;
  /** What is sent to the target. */
  readonly forwarded: Buffer;
}

/** How requests are changed on their way. */
export interface RequestChanges {
  /** The host and port of the target, which Host names; undefined: it stays as it came. */
  readonly host: string | undefined;
  /** What precedes the path: that of the target where an HTTP proxy is asked, else nothing. */
  readonly origin: string;
  /** Field lines that are added, such as the credential of an HTTP proxy. */
  readonly added: readonly string[];
  /** Clients take the proxy for one that leads everywhere (CONNECT, whole URLs). Default: false. */
  readonly forwards?: boolean;
}

/**
 * Clients and targets repeat their heads: most differ by nothing, or by the second in Date.
 * @throws MalformedMessage
 */
export const readRequestHead = createMemo(parseRequestHead);

function parseRequestHead(head: string, changes: RequestChanges): RequestHead {
  const { host, origin, added, forwards = false } = changes;
  const end = head.indexOf('\r\n');
  const [method = '', asked = '', version = '', ...rest] = head.slice(0, end).split(' ');
  if (version === '' || rest.length > 0 || !isToken(method) || !/^[\x21-\x7e\x80-\xff]+$/.test(asked))
    throw new MalformedMessage('the first line is not "METHOD TARGET HTTP/1.1"');
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') {
    const isVersion = /^HTTP\/\d(?:\.\d)?$/.test(version);
    throw new MalformedMessage('only HTTP/1.1 and HTTP/1.0 are spoken here', isVersion ? 505 : 400);
  }
  const isTunnel = method === 'CONNECT';
  if (isTunnel && !forwards) throw new MalformedMessage(NO_TUNNELS, 501);
  const fields = parseFields(head, end + 2);
  if (fields.filter(({ key }) => key === 'host').length > 1)
    throw new MalformedMessage('Host is there more than once');
  const length = requestBodyLength(fields, version);
  const target = isTunnel ? asked : originForm(asked);
  const named = forwards && !isTunnel ? originIn(asked) : undefined;
  const options = listOf(fields, 'connection');
  const lines = forwardedLines(fields, ({ key, name, line }) => {
    // RFC 9110 §11.7.2: it was for this proxy.
    if (key === 'proxy-authorization' && named !== undefined) return undefined;
    return key === 'host' && host !== undefined ? `${name}: ${host}` : line;
  });
  const first = `${method} ${target === '*' ? target : origin + target} ${version}`;
  return {
    method,
    target,
    origin: named,
    fields,
    length,
    upgrades: options.includes('upgrade') && fields.some(({ key }) => key === 'upgrade'),
    closes: options.includes('close') || (version === 'HTTP/1.0' && !options.includes('keep-alive')),
    forwarded: Buffer.from(`${[first, ...lines, ...added].join('\r\n')}\r\n\r\n`, 'latin1'),
  };
}

const NO_TUNNELS =
  'paddock proxy opens no tunnels: it stands in front of one target. Send requests to it as to the target itself, and do not name it in HTTPS_PROXY, or start it with --forward';

/** A client that takes the proxy for one that leads everywhere names a whole URL (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (rest === undefined) throw new MalformedMessage('the target of the request is neither a path nor a URL');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** @throws MalformedMessage for what readers of URLs understand in several ways */
function originIn(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return undefined;
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(target) ?? [];
  const url = /[@\\]/.test(authority) ? null : URL.parse(target);
  if (!url) throw new MalformedMessage('the target of the request names no host');
  return url.origin;
}

/** What a response says before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly firstLine: string;
  readonly fields: readonly Field[];
  readonly length: BodyLength;
  /** The target ends the connection after it. */
  readonly closes: boolean;
  /** All that it says, but for Date: what two equal responses have in common. */
  readonly identity: string;
  /** The field lines that are sent to the client. */
  readonly lines: readonly string[];
  /** The head as a whole; undefined: as it came. */
  readonly forwarded: Buffer | undefined;
}

/** @throws MalformedMessage */
export const readResponseHead = createMemo(parseResponseHead);

function parseResponseHead(head: string, requestMethod: 'HEAD' | 'GET'): ResponseHead {
  const end = head.indexOf('\r\n');
  const firstLine = head.slice(0, end);
  const [, version, code] = /^(HTTP\/1\.[01]) (\d{3})(?: [^\r\n\0]*)?$/.exec(firstLine) ?? [];
  if (code === undefined) throw new MalformedMessage('the first line is not "HTTP/1.1 STATUS"');
  const status = Number(code);
  const fields = parseFields(head, end + 2);
  const isCoded = fields.some(({ key }) => key === 'transfer-encoding');
  if (isCoded && version === 'HTTP/1.0') throw new MalformedMessage('HTTP/1.0 has no Transfer-Encoding');
  const length = responseBodyLength(fields, status, requestMethod);
  const options = listOf(fields, 'connection');
  // RFC 9112 §6.3: of two lengths that of the coding counts, and no other reader may see the other.
  const lines = forwardedLines(fields, ({ key, line }) =>
    key === 'content-length' && isCoded ? undefined : line,
  );
  const isSame = lines.length === fields.length && lines.every((line, at) => line === fields[at]?.line);
  return {
    status,
    firstLine,
    fields,
    length,
    closes:
      length === 'until close' ||
      options.includes('close') ||
      (version === 'HTTP/1.0' && !options.includes('keep-alive')),
    identity: [firstLine, ...fields.filter(({ key }) => key !== 'date').map(({ line }) => line)].join('\n'),
    lines,
    forwarded: isSame ? undefined : headBytes(firstLine, lines),
  };
}

export function headBytes(firstLine: string, lines: readonly string[]): Buffer {
  return Buffer.from(`${[firstLine, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
}

/** A response of the proxy's own, in place of one of the target. */
export interface OwnResponse {
  readonly status: number;
  /** RFC 9457; `detail` says what happened. */
  readonly problem: Readonly<Record<string, unknown>> & { readonly detail: string };
  readonly lines?: readonly string[];
  /** Of the first line: many clients show nothing else of a tunnel that is refused. */
  readonly reason?: string;
}

/** It names who responds, so that nobody takes it for a response of the target. */
const NAME = 'paddock proxy';

/** The bytes of a response of the proxy itself. */
export function ownResponse(
  { status, problem, lines = [], reason = STATUS_CODES[status] ?? '' }: OwnResponse,
  { method, closes }: { readonly method: string; readonly closes: boolean },
): Buffer {
  const title = `${NAME}: ${STATUS_CODES[status] ?? 'Error'}`;
  const body = Buffer.from(`${JSON.stringify({ title, status, ...problem }, undefined, 2)}\n`);
  const all = ['Content-Type: application/problem+json', 'Cache-Control: no-store', ...lines];
  return responseBytes({ status, reason, lines: all, body, detail: problem.detail }, { method, closes });
}

/** @param detail what happened, in the header that names who responds */
export function responseBytes(
  {
    status,
    reason = STATUS_CODES[status] ?? '',
    lines,
    body,
    detail,
  }: {
    readonly status: number;
    readonly reason?: string;
    readonly lines: readonly string[];
    readonly body: Buffer;
    readonly detail: string;
  },
  { method, closes }: { readonly method: string; readonly closes: boolean },
): Buffer {
  const head = [
    ...lines,
    ...(status === 204 ? [] : [`Content-Length: ${body.length}`]),
    `Paddock-Proxy: ${JSON.stringify(detail)
      .replace(/[^\x20-\x7e]/g, '?')
      .slice(0, 500)}`,
    ...(closes ? ['Connection: close'] : []),
  ];
  const bytes = headBytes(`HTTP/1.1 ${status} ${reason}`, head);
  return method === 'HEAD' ? bytes : Buffer.concat([bytes, body]);
}

/** Heads that are kept for each circumstance, and the characters of the longest among them. */
const MOST = 512;
const LONGEST = 4096;

/** A function of a text and a circumstance, with the results of the latest texts kept. */
function createMemo<Circumstance extends string | object, Result>(
  of: (text: string, circumstance: Circumstance) => Result,
): (text: string, circumstance: Circumstance) => Result {
  const kept = new Map<Circumstance, Map<string, Result>>();
  return (text, circumstance) => {
    const known = kept.get(circumstance) ?? new Map<string, Result>();
    if (known.size === 0) {
      // Circumstances are few: methods, or the proxies of one process.
      if (kept.size >= MOST) kept.clear();
      kept.set(circumstance, known);
    }
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = of(text, circumstance);
    if (text.length <= LONGEST) {
      if (known.size >= MOST) known.clear();
      known.set(text, result);
    }
    return result;
  };
}
