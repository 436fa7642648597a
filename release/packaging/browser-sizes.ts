import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BROWSER_FILES } from './build-browser.ts';

/** Bytes, gzipped, that the mock for browsers may have without faker. */
export const MOST_BYTES = 400_000;

export interface BrowserSizes {
  /** Bytes as gzip -9 makes them. */
  readonly gzipped: { readonly engine: number; readonly faker: number };
  /** Bytes as they are. */
  readonly plain: { readonly engine: number; readonly faker: number };
}

/** What a page fetches of the bundle in a folder: the engine always, faker where a document needs it. */
export function browserSizes(folder: string): BrowserSizes {
  const files = BROWSER_FILES.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const sum = (isFaker: boolean, sizeOf: (bytes: Buffer) => number) =>
    files
      .filter(({ name }) => (name === 'faker.js') === isFaker)
      .reduce((total, { bytes }) => total + sizeOf(bytes), 0);
  const gzip = (bytes: Buffer) => gzipSync(bytes, { level: 9 }).length;
  return {
    gzipped: { engine: sum(false, gzip), faker: sum(true, gzip) },
    plain: { engine: sum(false, ({ length }) => length), faker: sum(true, ({ length }) => length) },
  };
}
