import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

// Node has zstd from 22.15 on: an import by name would end the program on an older one.
const zstdDecompress = zlib.zstdDecompress as typeof zlib.zstdDecompress | undefined;

const DECODERS: Readonly<Record<string, (bytes: Uint8Array, options: object) => Promise<Buffer>>> = {
  gzip: promisify(zlib.gunzip) as never,
  'x-gzip': promisify(zlib.gunzip) as never,
  deflate: promisify(zlib.inflate) as never,
  br: promisify(zlib.brotliDecompress) as never,
  ...(zstdDecompress && { zstd: promisify(zstdDecompress) as never }),
};

/** With which a frame of zstd begins (RFC 8878 §3.1.1). */
const ZSTD = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/**
 * Undefined: these bytes are not compressed in that way, which most files say of bodies that they have decoded.
 * `no zstd`: they are, and this Node has no decoder.
 */
export async function decompress(
  bytes: Uint8Array,
  encoding: string,
  /** In bytes; a body that is longer counts as not compressed. */
  limit: number,
): Promise<Buffer | 'no zstd' | undefined> {
  const name = encoding.trim().toLowerCase();
  if (name === 'zstd' && !zstdDecompress)
    return ZSTD.equals(bytes.subarray(0, ZSTD.length)) ? 'no zstd' : undefined;
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  try {
    return await decode?.(bytes, { maxOutputLength: limit });
  } catch {
    return undefined;
  }
}
