import {
  charsetOf,
  codingsOf,
  decodeBody,
  decodeContent,
  isJsonType,
  isOctets,
  isXml,
  type MediaType,
  mediaTypeFor,
  type Operation,
  parseJson,
  responseFor,
} from '#spec';
import type { RequestInput } from './plan-request.ts';
import { headerOf, MAX_BODY, type WireRequest, type WireResponse } from './wire.ts';

/** A response with its body decoded as far as possible. */
export interface Response extends WireResponse {
  readonly contentType: string | undefined;
  /** The body as text; undefined if its declared encoding is wrong or it is no UTF-8. A byte-order mark is kept. */
  readonly text: string | undefined;
  /** Why there is no text. */
  readonly encodingProblem: string | undefined;
  /** The body as JSON, integers exact. */
  readonly json: Parsed;
  /** The XML body as the value that its schema describes; undefined: it is no such body. */
  readonly xml?: Parsed;
}

type Parsed = { readonly value: unknown } | { readonly error: string };

/** A request with its input and response. */
export interface Exchange {
  readonly operation: Operation;
  readonly input: RequestInput;
  readonly request: WireRequest;
  readonly response: Response;
}

/** @param operation documents the response; without it XML is treated as text */
export function decodeResponse(response: WireResponse, operation?: Operation): Response {
  const contentType = headerOf(response, 'content-type');
  const decoded = undoCodings(response);
  if ('problem' in decoded) return unreadable(response, contentType, decoded.problem);
  const { bytes } = decoded;
  const media = operation && documentedMedia(operation, response.status, contentType);
  const read = bytes ? textOf(bytes, contentType) : { text: undefined };
  if ('problem' in read && !isOctets(media?.shape)) return unreadable(response, contentType, read.problem);
  const text = 'text' in read ? read.text : undefined;
  const json = text === undefined ? { error: 'the body is no text' } : parseWhole(text);
  const xml = bytes && media && isXml(media) && decodeBody(media, bytes, contentType ?? '');
  return { ...response, contentType, text, encodingProblem: undefined, json, ...(xml && { xml }) };
}

function unreadable(response: WireResponse, contentType: string | undefined, problem: string): Response {
  return { ...response, contentType, text: undefined, encodingProblem: problem, json: { error: problem } };
}

function documentedMedia(
  { responses }: Operation,
  status: number,
  contentType: string | undefined,
): MediaType | undefined {
  const { content = [] } = responseFor(responses, status) ?? {};
  return contentType === undefined ? undefined : mediaTypeFor(content, contentType);
}

/** Removes content codings. No bytes: a part of a compressed body, or zstd that this Node cannot decode. */
function undoCodings(response: WireResponse): { bytes: Uint8Array | undefined } | { problem: string } {
  const coding = headerOf(response, 'content-encoding');
  const isCoded = codingsOf(coding).length > 0;
  if (!isCoded) return { bytes: response.left ? wholeLines(response.body) : response.body };
  if (response.left) return { bytes: undefined };
  const decoded = decodeContent(response.body, coding, MAX_BODY);
  if ('bytes' in decoded) return decoded;
  if ('tooMany' in decoded) return { problem: `Content-Encoding names ${decoded.tooMany} codings` };
  if ('unknown' in decoded)
    return decoded.unknown === 'zstd'
      ? { bytes: undefined }
      : { problem: `the Content-Encoding "${decoded.unknown}" is not known` };
  const name = 'broken' in decoded ? decoded.broken : decoded.tooLarge;
  return { problem: `the body is not "${name}", as Content-Encoding says: ${decoded.reason}` };
}

/** No text: binary data such as a picture. */
function textOf(
  bytes: Uint8Array,
  type: string | undefined,
): { text: string | undefined } | { problem: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return type === undefined || saysUtf8(type)
      ? { problem: 'the body is not UTF-8 (RFC 8259 §8.1)' }
      : { text: undefined };
  }
}

/** The complete lines of an abandoned stream, since no character spans two lines. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1);
}

/** Whether a media type implies UTF-8: JSON does, others only by a charset. */
function saysUtf8(contentType: string): boolean {
  return isJsonType(contentType) || /^utf-?8$/i.test(charsetOf(contentType) ?? '');
}

function parseWhole(text: string): Response['json'] {
  try {
    return { value: parseJson(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/** The JSON or XML value of a response's body. Undefined: it is neither, or malformed. */
export function jsonOf({ json, xml }: Response): unknown {
  const parsed = xml ?? json;
  return 'value' in parsed ? parsed.value : undefined;
}
