import { type BodyLength, requestBodyLength } from './body-length.ts';
import { type Field, isToken, listOf, parseFields } from './fields.ts';
import { forwardedLines } from './forwarded-fields.ts';
import { MalformedMessage } from './malformed-message.ts';

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query (RFC 9112 §3.2.1), or `*`. */
  readonly target: string;
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
}

/** @throws MalformedMessage */
export function parseRequestHead(head: string, { host, origin, added }: RequestChanges): RequestHead {
  const end = head.indexOf('\r\n');
  const [method = '', asked = '', version = '', ...rest] = head.slice(0, end).split(' ');
  if (version === '' || rest.length > 0 || !isToken(method) || !/^[\x21-\x7e\x80-\xff]+$/.test(asked))
    throw new MalformedMessage('the first line is not "METHOD TARGET HTTP/1.1"');
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') {
    const isVersion = /^HTTP\/\d(?:\.\d)?$/.test(version);
    throw new MalformedMessage('only HTTP/1.1 and HTTP/1.0 are spoken here', isVersion ? 505 : 400);
  }
  if (method === 'CONNECT') throw new MalformedMessage(NO_TUNNELS, 501);
  const fields = parseFields(head, end + 2);
  if (fields.filter(({ key }) => key === 'host').length > 1)
    throw new MalformedMessage('Host is there more than once');
  const length = requestBodyLength(fields, version);
  const target = originForm(asked);
  const options = listOf(fields, 'connection');
  const lines = forwardedLines(fields, ({ key, name, line }) =>
    key === 'host' && host !== undefined ? `${name}: ${host}` : line,
  );
  const first = `${method} ${target === '*' ? target : origin + target} ${version}`;
  return {
    method,
    target,
    fields,
    length,
    upgrades: options.includes('upgrade') && fields.some(({ key }) => key === 'upgrade'),
    closes: options.includes('close') || (version === 'HTTP/1.0' && !options.includes('keep-alive')),
    forwarded: Buffer.from(`${[first, ...lines, ...added].join('\r\n')}\r\n\r\n`, 'latin1'),
  };
}

const NO_TUNNELS =
  'paddock proxy opens no tunnels: it stands in front of one target. Send requests to it as to the target itself, and do not name it in HTTPS_PROXY';

/** A client that takes the proxy for one that leads everywhere names a whole URL (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (rest === undefined) throw new MalformedMessage('the target of the request is neither a path nor a URL');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
