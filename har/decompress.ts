import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

const DECODERS: Readonly<Record<string, (bytes: Uint8Array, options: object) => Promise<Buffer>>> = {
  gzip: promisify(gunzip) as never,
  'x-gzip': promisify(gunzip) as never,
  deflate: promisify(inflate) as never,
  br: promisify(brotliDecompress) as never,
  zstd: promisify(zstdDecompress) as never,
};

/** Undefined: these bytes are not compressed in that way, which most files say of bodies that they have decoded. */
export async function decompress(
  bytes: Uint8Array,
  encoding: string,
  /** In bytes; a body that is longer counts as not compressed. */
  limit: number,
): Promise<Buffer | undefined> {
  const name = encoding.trim().toLowerCase();
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  try {
    return await decode?.(bytes, { maxOutputLength: limit });
  } catch {
    return undefined;
  }
}
