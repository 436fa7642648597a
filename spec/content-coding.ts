import { zlib } from '#libraries';
import { concat } from './multipart.ts';

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const DECODERS: ReadonlyMap<string, Decode> = decodersOf(zlib());

function decodersOf({
  gunzipSync,
  inflateSync,
  brotliDecompressSync,
  zstdDecompressSync,
}: ReturnType<typeof zlib>): Map<string, Decode> {
  const named: readonly (readonly [coding: string, decode: Decode | undefined])[] = [
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync && decodeFrames(zstdDecompressSync)],
  ];
  return new Map(named.flatMap(([coding, decode]) => (decode ? [[coding, decode]] : [])));
}

/** The content codings that can be decoded here (RFC 9110 §8.4.1, RFC 8878 §7.2), such as a response 415 names them. */
export const CONTENT_CODINGS: readonly string[] = [...DECODERS.keys()];

const ASKED = new Set([...CONTENT_CODINGS, 'x-gzip', 'identity']);

/** The codings of an `Accept-Encoding` that can be decoded here (RFC 9110 §12.5.3). */
export function decodableCodings(acceptEncoding: string): string {
  const members = acceptEncoding.split(',').map((member) => member.trim());
  const isKnown = (member: string) => ASKED.has(member.replace(/\s*;.*/s, '').toLowerCase());
  return members.every(isKnown) ? acceptEncoding : members.filter(isKnown).join(', ') || 'identity';
}

/** Each may write out all that is allowed, and a header has room for thousands. */
const MOST_CODINGS = 4;

/** Content without its codings, or why it is not to be had. */
export type DecodedContent =
  | { readonly bytes: Uint8Array }
  /** No decoder for this coding is known. */
  | { readonly unknown: string }
  /** The bytes are not what the coding says. */
  | { readonly broken: string; readonly reason: string }
  /** It is longer than was allowed. */
  | { readonly tooLarge: string; readonly reason: string }
  | { readonly tooMany: number };

/** The codings that `Content-Encoding` names, in the order in which they were applied (RFC 9110 §8.4); `identity` is none. */
export function codingsOf(contentEncoding: string | undefined): string[] {
  return (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Undoes content codings (RFC 9110 §8.4).
 * @param contentEncoding the header; undefined: it is absent
 * @param limit in bytes, for what each of the codings becomes
 */
export function decodeContent(
  content: Uint8Array,
  contentEncoding: string | undefined,
  limit: number,
): DecodedContent {
  const codings = codingsOf(contentEncoding);
  if (codings.length > MOST_CODINGS) return { tooMany: codings.length };
  let bytes = content;
  for (const coding of codings.reverse()) {
    const decode = DECODERS.get(coding === 'x-gzip' ? 'gzip' : coding);
    if (!decode) return { unknown: coding };
    try {
      bytes = decode(bytes, { maxOutputLength: limit });
    } catch (error) {
      const { code, message: reason } = error as NodeJS.ErrnoException;
      return code === 'ERR_BUFFER_TOO_LARGE' ? { tooLarge: coding, reason } : { broken: coding, reason };
    }
  }
  return { bytes };
}

/** Several frames in a row are one content (RFC 8878 §3); zlib decodes the first one. */
function decodeFrames(decode: typeof import('node:zlib').zstdDecompressSync): Decode {
  return (bytes, { maxOutputLength }) => {
    const parts: Uint8Array[] = [];
    let [left, rest] = [maxOutputLength, bytes];
    do {
      const { buffer, engine } = decode(rest, { maxOutputLength: left, info: true }) as unknown as {
        readonly buffer: Uint8Array;
        readonly engine: { readonly bytesWritten: number };
      };
      parts.push(buffer);
      left -= buffer.length;
      rest = rest.subarray(engine.bytesWritten);
    } while (rest.length > 0 && left > 0);
    if (rest.length > 0)
      throw Object.assign(new RangeError('it is too long'), { code: 'ERR_BUFFER_TOO_LARGE' });
    return parts.length === 1 ? (parts[0] as Uint8Array) : concat(parts);
  };
}
