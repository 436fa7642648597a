import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { charsetOf, isJsonType, type Operation, parseJson } from '#spec';
import type { RequestInput } from './plan-request.ts';
import { headerOf, MAX_BODY, type WireRequest, type WireResponse } from './wire.ts';

/** A response with its body decoded as far as it can be. */
export interface Response extends WireResponse {
  readonly contentType: string | undefined;
  /** The body as text; undefined where its encoding is untrue or it is no UTF-8. A byte-order mark is kept. */
  readonly text: string | undefined;
  /** What stood in the way of the text. */
  readonly encodingProblem: string | undefined;
  /** The body as JSON, integers exact. */
  readonly json: { readonly value: unknown } | { readonly error: string };
}

/** A request and its response, with what the request was made from. */
export interface Exchange {
  readonly operation: Operation;
  readonly input: RequestInput;
  readonly request: WireRequest;
  readonly response: Response;
}

export function decodeResponse(response: WireResponse): Response {
  const contentType = headerOf(response, 'content-type');
  const decoded = decodeText(response);
  if ('problem' in decoded) {
    return {
      ...response,
      contentType,
      text: undefined,
      encodingProblem: decoded.problem,
      json: { error: decoded.problem },
    };
  }
  const { text } = decoded;
  if (text === undefined) {
    const json = { error: 'the body is no text' };
    return { ...response, contentType, text, encodingProblem: undefined, json };
  }
  return { ...response, contentType, text, encodingProblem: undefined, json: parseWhole(text) };
}

/** No text: bytes such as those of a picture. */
function decodeText(response: WireResponse): { text: string | undefined } | { problem: string } {
  const codings = (headerOf(response, 'content-encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  // A part of what is compressed is nothing that can be read.
  if (response.left && codings.length > 0) return { text: undefined };
  if (codings.length > MOST_CODINGS) return { problem: `Content-Encoding names ${codings.length} codings` };
  let bytes = response.left ? wholeLines(response.body) : response.body;
  for (const coding of codings.reverse()) {
    const undo = DECODERS[coding];
    if (!undo) return { problem: `the Content-Encoding "${coding}" is not known` };
    try {
      bytes = undo(bytes, { maxOutputLength: MAX_BODY });
    } catch (error) {
      return {
        problem: `the body is not "${coding}", as Content-Encoding says: ${(error as Error).message}`,
      };
    }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const type = headerOf(response, 'content-type');
    return type === undefined || saysUtf8(type)
      ? { problem: 'the body is not UTF-8 (RFC 8259 §8.1)' }
      : { text: undefined };
  }
}

/** Of a stream that was left, since no character is in two lines. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1);
}

/** JSON always is; of another media type nothing but a charset says so. */
function saysUtf8(contentType: string): boolean {
  return isJsonType(contentType) || /^utf-?8$/i.test(charsetOf(contentType) ?? '');
}

/** Each may write out {@link MAX_BODY} bytes, and a header has room for thousands. */
const MOST_CODINGS = 4;

const DECODERS: Readonly<
  Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array>
> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

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

/** The JSON value of a response that is JSON by type and whole. */
export function jsonOf(response: Response): unknown {
  return 'value' in response.json ? response.json.value : undefined;
}
