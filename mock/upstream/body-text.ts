import * as zlib from 'node:zlib';

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

// Node before 22.15 has no zstd.
const { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync }: Partial<typeof zlib> = zlib;
const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** In bytes, so that a small body cannot fill the memory. */
const MOST = 16 * 2 ** 20;
const MOST_CODINGS = 4;

/** A body without its content codings (RFC 9110 §8.4); undefined: it is not what it says. */
export function decodedBody(body: Uint8Array, contentEncoding: string | undefined): Uint8Array | undefined {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) return undefined;
  let bytes = body;
  for (const coding of codings.reverse()) {
    const decode = DECODERS[coding];
    if (!decode) return undefined;
    try {
      bytes = decode(bytes, { maxOutputLength: MOST });
    } catch {
      return undefined;
    }
  }
  return bytes;
}
