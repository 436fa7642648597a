import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BROWSER_FILES } from './build-browser.ts';

/** Bytes, gzipped, that a page may have to fetch in any case. */
export const MOST_BYTES = 410_000;

/** What is fetched in any case, and what where it is needed. */
type Part = 'engine' | 'faker' | 'templates';

export interface BrowserSizes {
  /** Bytes as gzip -9 makes them. */
  readonly gzipped: Readonly<Record<Part, number>>;
  /** Bytes as they are. */
  readonly plain: Readonly<Record<Part, number>>;
}

/** What a page fetches of the bundle in a folder. */
export function browserSizes(folder: string): BrowserSizes {
  const files = BROWSER_FILES.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const partOf = (name: string): Part =>
    name === 'faker.js' ? 'faker' : name === 'templates.js' ? 'templates' : 'engine';
  const sum = (part: Part, sizeOf: (bytes: Buffer) => number) =>
    files.filter(({ name }) => partOf(name) === part).reduce((total, { bytes }) => total + sizeOf(bytes), 0);
  const all = (sizeOf: (bytes: Buffer) => number) => ({
    engine: sum('engine', sizeOf),
    faker: sum('faker', sizeOf),
    templates: sum('templates', sizeOf),
  });
  return {
    gzipped: all((bytes) => gzipSync(bytes, { level: 9 }).length),
    plain: all(({ length }) => length),
  };
}
