import { CONTENT_CODINGS, decodeContent, isRecord } from '#spec';
import {
  type HeaderPair,
  headerOf,
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
  type Remark,
  type Skipped,
} from './recorded-exchange.ts';

/** Why an entry is no exchange, in brief. */
export interface NoExchange {
  readonly problem: Skipped;
  readonly message: string;
}

/** RFC 9110 §9.1: a method is a token. */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** Reads an element of `log.entries` as an exchange. */
export function readEntry(
  entry: unknown,
  place: Pick<RecordedExchange, 'position' | 'line'>,
  readAttachment: ReadAttachment,
  /** The maximum size of a decoded body, in bytes. */
  limit: number,
): RecordedExchange | NoExchange {
  if (!isRecord(entry)) return { problem: 'broken-entry', message: 'it is no object' };
  const request = membersAt(entry, 'request');
  const method = textAt(request, 'method') ?? '';
  if (!METHOD.test(method)) return { problem: 'broken-entry', message: 'it has no method' };
  const url = URL.parse(textAt(request, 'url') ?? '');
  if (!url) return { problem: 'broken-entry', message: 'it has no absolute URL' };
  const isSocket = /^wss?:$/.test(url.protocol) || entry._webSocketMessages !== undefined;
  if (isSocket || entry._resourceType === 'websocket') {
    return { problem: 'web-socket', message: 'it is a WebSocket connection' };
  }
  if (!/^https?:$/.test(url.protocol)) return { problem: 'other-scheme', message: `it is ${url.protocol}` };
  url.hash = '';

  const remarks = new Set<Remark>();
  const remark = (one: Remark) => void remarks.add(one);
  if (entry._fromCache !== undefined && entry._fromCache !== null) remark('from-cache');
  if (entry._fetchedViaServiceWorker === true) remark('service-worker');
  const startedAt = Date.parse(textAt(entry, 'startedDateTime') ?? '');
  return {
    ...place,
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
    ms: sizeAt(entry, 'time'),
    request: readRequest(request, method, url, readAttachment, remark),
    response: readResponse(membersAt(entry, 'response'), method, readAttachment, limit, remark),
    remarks: [...remarks],
  };
}

/** A request as it was sent, as far as it was recorded. */
function readRequest(
  request: Members,
  method: string,
  url: URL,
  readAttachment: ReadAttachment,
  remark: (one: Remark) => void,
): RecordedRequest {
  const sent = readHeaders(request, remark);
  const cookies = pairsAt(request, 'cookies').map(([name, value]) => `${name}=${value}`);
  const lacksCookies = cookies.length > 0 && headerOf(sent, 'cookie') === undefined;
  if (lacksCookies) remark('cookies-only');
  const posted = membersAt(request, 'postData');
  const typed = withType(sent, posted);
  const headers: readonly HeaderPair[] = lacksCookies ? [...typed, ['cookie', cookies.join('; ')]] : typed;

  const { bytes, isPartial } = readText(posted, readAttachment, remark);
  const form = bytes?.length ? undefined : formOf(posted, headers);
  if (form) remark('form-from-parameters');
  const body = form ?? (bytes?.length ? bytes : undefined);

  const isCompressed = headerOf(headers, 'content-encoding') !== undefined;
  const stated = Math.max(
    sizeAt(request, 'bodySize') ?? 0,
    Number(headerOf(headers, 'content-length') ?? 0) || 0,
  );
  const isShorter = form === undefined && !isCompressed && (body?.length ?? 0) < stated;
  const isAbsent = body === undefined && (stated > 0 || textAt(posted, '_file') !== undefined);
  // HARs do not contain the files of a form.
  const lacksFiles = form !== undefined && hasFiles(posted);
  const bodyMissing = isPartial || isShorter || isAbsent || lacksFiles;
  if (bodyMissing) remark('request-body-missing');
  return { method, url, headers, body, bodyMissing };
}

/** Rebuilds the body of a form of which only the parameters are recorded. */
function formOf(posted: Members, headers: readonly HeaderPair[]): Buffer | undefined {
  const parameters = pairsAt(posted, 'params');
  if (parameters.length === 0) return undefined;
  const type = headerOf(headers, 'content-type') ?? textAt(posted, 'mimeType') ?? '';
  const boundary = /^multipart\/form-data\s*;.*boundary="?([^";\s]+)/i.exec(type)?.[1];
  if (boundary !== undefined) {
    const parts = parameters.map(([name, value]) => {
      const escapedName = name.replaceAll('"', '%22').replaceAll(/[\r\n]+/g, '%0D%0A');
      return `--${boundary}\r\nContent-Disposition: form-data; name="${escapedName}"\r\n\r\n${value}\r\n`;
    });
    return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
  }
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  return Buffer.from(
    new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString(),
  );
}

function hasFiles({ params }: Members): boolean {
  return Array.isArray(params) && params.some((one) => one?.fileName !== undefined);
}

/** Responses that have no body, whatever their headers say (RFC 9110 §6.4.1). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The headers of a compressed body. */
const OF_COMPRESSED = new Set(['content-encoding', 'content-length']);

/** A response as it was sent, decoded, as far as it was recorded; undefined: none. */
function readResponse(
  response: Members,
  method: string,
  readAttachment: ReadAttachment,
  /** The maximum size of a decoded body, in bytes. */
  limit: number,
  remark: (one: Remark) => void,
): RecordedResponse | undefined {
  const status = Math.trunc(sizeAt(response, 'status') ?? 0);
  if (status < 100 || status > 999) {
    remark('no-response');
    return undefined;
  }
  const statusText = textAt(response, 'statusText') ?? '';
  const headers = readHeaders(response, remark);
  const none = { status, statusText, headers, body: Buffer.alloc(0), bodyMissing: false };
  if (method === 'HEAD' || WITHOUT_BODY.has(status)) return none;

  const content = membersAt(response, 'content');
  const { bytes, isBinary, isPartial } = readText(content, readAttachment, remark);
  const size = sizeAt(content, 'size') ?? sizeAt(response, 'bodySize');
  const stated = size ?? Number(headerOf(headers, 'content-length') ?? Number.NaN);
  const isEmpty = stated === 0;
  if (bytes === undefined || (bytes.length === 0 && stated > 0)) {
    if (isEmpty) return none;
    remark('response-body-missing');
    return { ...none, bodyMissing: true };
  }

  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  const isEncoded = encoding !== '' && encoding !== 'identity';
  const decoded = isEncoded && isBinary ? decompress(bytes, encoding, limit) : undefined;
  if (decoded === 'no zstd') {
    remark('zstd-body');
    return { ...none, bodyMissing: true };
  }
  if (isEncoded) remark(decoded ? 'compressed-body' : 'decoded-body');
  const typed = bytes.length > 0 ? withType(headers, content) : headers;
  const fitting = typed.filter(([name]) => !OF_COMPRESSED.has(name.toLowerCase()));
  // mitmproxy states the size of the compressed body instead of the text's.
  const isOfCompressed = isEncoded && sizeAt(content, 'size') === sizeAt(response, 'bodySize');
  const bodyMissing = isPartial && !decoded && !isOfCompressed;
  if (bodyMissing) remark('response-body-missing');
  return { ...none, headers: isEncoded ? fitting : typed, body: decoded ?? bytes, bodyMissing };
}

/** The `mimeType` of a body is its Content-Type (HAR 1.2, `content` and `postData`): some programs omit headers. */
function withType(headers: readonly HeaderPair[], holder: Members): readonly HeaderPair[] {
  const type = textAt(holder, 'mimeType') ?? '';
  if (!type.includes('/') || headerOf(headers, 'content-type') !== undefined) return headers;
  return [...headers, ['content-type', type]];
}

/** The headers of a message as they were sent, without the pseudo headers of HTTP/2 (`:method`). */
function readHeaders(message: Members, remark: (one: Remark) => void): readonly HeaderPair[] {
  const all = pairsAt(message, 'headers');
  const sent = all.filter(([name]) => !name.startsWith(':'));
  if (sent.length < all.length) remark('pseudo-headers');
  // Chromium joins repeated headers with line feeds.
  return sent.flatMap(([name, value]) => value.split('\n').map((line): HeaderPair => [name, line.trim()]));
}

/** Reads a file beside the HAR; undefined: there is none. */
export type ReadAttachment = (name: string) => Uint8Array | undefined;

/** The recorded part of a body. */
interface RecordedText {
  /** Undefined: nothing. */
  readonly bytes: Buffer | undefined;
  /** Whether it was base64, or a separate file: then exactly these bytes were sent, or what they decode to. */
  readonly isBinary: boolean;
  /** Whether it is known to be incomplete. */
  readonly isPartial: boolean;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The text of `postData` or `content`, or the file that Playwright writes beside the HAR instead. */
function readText(
  holder: Members,
  readAttachment: ReadAttachment,
  remark: (one: Remark) => void,
): RecordedText {
  const file = textAt(holder, '_file');
  if (file !== undefined) {
    const bytes = readAttachment(file);
    if (bytes) remark('attached-body');
    return { bytes: bytes && Buffer.from(bytes), isBinary: true, isPartial: false };
  }
  const text = textAt(holder, 'text');
  const encoding = textAt(holder, 'encoding')?.toLowerCase() ?? '';
  if (text === undefined || !['', 'base64', 'utf-8', 'utf8'].includes(encoding)) {
    return { bytes: undefined, isBinary: false, isPartial: false };
  }
  const isBinary = encoding === 'base64';
  const compact = isBinary ? text.replaceAll(/\s/g, '') : text;
  if (isBinary && !BASE64.test(compact)) return { bytes: undefined, isBinary, isPartial: false };
  const bytes = isBinary ? Buffer.from(compact, 'base64') : Buffer.from(text);
  const size = sizeAt(holder, 'size') ?? 0;
  // Some programs state the length of the base64 text.
  const isOfText = isBinary && (size === text.length || size === compact.length);
  return { bytes, isBinary, isPartial: bytes.length < size && !isOfText };
}

/** The first bytes of a zstd frame (RFC 8878 §3.1.1). */
const ZSTD = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/**
 * Undefined: the bytes are not compressed that way: most HARs contain decoded bodies. `no zstd`: they are, and this Node
 * has no decoder.
 */
function decompress(
  bytes: Uint8Array,
  encoding: string,
  /** In bytes; a longer body is treated as uncompressed. */
  limit: number,
): Buffer | 'no zstd' | undefined {
  if (encoding === 'zstd' && !CONTENT_CODINGS.includes('zstd'))
    return ZSTD.equals(bytes.subarray(0, ZSTD.length)) ? 'no zstd' : undefined;
  const decoded = decodeContent(bytes, encoding, limit);
  if (!('bytes' in decoded)) return undefined;
  const { buffer, byteOffset, byteLength } = decoded.bytes;
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Members of an entry, of any type: the files of each tool lack some, or have `null` or text instead of a number. */
type Members = Readonly<Record<string, unknown>>;

function membersAt(value: unknown, name: string): Members {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

function textAt(value: Members, name: string): string | undefined {
  const text = value[name];
  return typeof text === 'string' ? text : undefined;
}

/** Undefined: missing, or no number; HAR 1.2 writes -1 for unknown. */
function sizeAt(value: Members, name: string): number | undefined {
  const size = Number(value[name] ?? Number.NaN);
  return Number.isFinite(size) && size >= 0 ? size : undefined;
}

/** Lists of names and values: headers, cookies, parameters. */
function pairsAt(value: Members, name: string): readonly HeaderPair[] {
  const list = value[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((pair): readonly HeaderPair[] => {
    const key = isRecord(pair) ? textAt(pair, 'name') : undefined;
    return key ? [[key, textAt(pair, 'value') ?? '']] : [];
  });
}
