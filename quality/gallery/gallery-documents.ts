import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Contract, readContract } from '#spec';
import { findDocuments, folderOf } from '../corpus/find-documents.ts';

/** A document of the gallery: its name there, and what a mock takes. */
export interface GalleryDocument {
  readonly name: string;
  readonly read: () => Promise<string | Contract>;
}

/** Those that everyone has who has the clone: of others, of packages, and our own. */
const USUAL = [
  'node_modules/@readme/oas-examples/3.0/json/petstore.json',
  'node_modules/@readme/oas-examples/3.1/json/train-travel.json',
  'node_modules/@readme/oas-examples/3.0/json/star-trek.json',
  'node_modules/@scalar/galaxy/dist/latest.json',
  'spec/openapi.yaml',
  'fixtures/documents/shop-window.yaml',
  'fixtures/specs',
];

/** What is looked at unless documents are named. */
export const usualDocuments = (most = 20): GalleryDocument[] =>
  USUAL.flatMap(galleryDocuments).slice(0, most);

/**
 * The documents of a folder, a package or a file, those that are compressed (`.gz`) among them.
 * @throws RangeError if there is none
 */
export function galleryDocuments(named: string): GalleryDocument[] {
  const folder = folderOf(named);
  const isFile = statSync(folder).isFile();
  const compressed = isFile ? [folder].filter((file) => file.endsWith('.gz')) : filesIn(folder);
  const plain = compressed.length > 0 && !hasPlain(folder) ? [] : findDocuments(named);
  const all = [
    ...plain.map(({ document, file }) => ({ name: document, read: async () => file })),
    ...compressed.map((file) => ({ name: basename(file, '.gz'), read: () => readCompressed(file) })),
  ];
  return all.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const filesIn = (folder: string) =>
  globSync('*.{json,yaml,yml}.gz', { cwd: folder }).map((file) => join(folder, file));

const hasPlain = (folder: string) => globSync('**/*.{json,yaml,yml}', { cwd: folder }).length > 0;

const readCompressed = (file: string) =>
  readContract(gunzipSync(readFileSync(file)).toString(), basename(file, '.gz'));
