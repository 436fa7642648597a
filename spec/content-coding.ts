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

/** The supported content codings (RFC 9110 §8.4.1, RFC 8878 §7.2), as a 415 response lists them. */
export const CONTENT_CODINGS: readonly string[] = [...DECODERS.keys()];

const ASKED = new Set([...CONTENT_CODINGS, 'x-gzip', 'identity']);

/** The supported codings of an `Accept-Encoding` (RFC 9110 §12.5.3). */
export function decodableCodings(acceptEncoding: string): string {
  const members = acceptEncoding.split(',').map((member) => member.trim());
  const isKnown = (member: string) => ASKED.has(member.replace(/\s*;.*/s, '').toLowerCase());
  return members.every(isKnown) ? acceptEncoding : members.filter(isKnown).join(', ') || 'identity';
}

/** Each coding may expand to the size limit, and a header has room for thousands. */
const MOST_CODINGS = 4;

/** Decoded content, or the reason why it cannot be decoded. */
export type DecodedContent =
  | { readonly bytes: Uint8Array }
  /** The coding is not supported. */
  | { readonly unknown: string }
  /** The bytes are invalid for this coding. */
  | { readonly broken: string; readonly reason: string }
  /** The content exceeds the limit. */
  | { readonly tooLarge: string; readonly reason: string }
  | { readonly tooMany: number };

/** The codings in `Content-Encoding`, in order of application (RFC 9110 §8.4), without `identity`. */
export function codingsOf(contentEncoding: string | undefined): string[] {
  return (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Decodes content codings (RFC 9110 §8.4).
 * @param contentEncoding the header; undefined: it is missing
 * @param limit in bytes, for the result of each coding
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

/** Content may consist of several frames (RFC 8878 §3), but zlib decodes only the first. */
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
