import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '#spec';
import type { Collection, Contents } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { compileReadLargeState } from './read-large-state.ts';
import type { SeedContext } from './with-seeds.ts';

/** In bytes. What is smaller is read as a whole, which shows the very member that is wrong. */
const LARGE = 2 ** 23;

/**
 * What seed files put into collections; of two files that name the same collection the later counts.
 * @throws DocumentError when a file cannot be read, or holds what does not fit the document.
 */
export async function readSeedFiles(
  files: readonly (string | URL)[],
  collections: readonly RecordCollection[],
  { validators, snapshots, readRules, progress }: SeedContext,
): Promise<ReadonlyMap<Collection, Contents>> {
  const readLargeState = compileReadLargeState(collections, validators, progress, readRules);
  const seeds = new Map<Collection, Contents>();
  for (const file of files) {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    const uri = relative('', path);
    const contents = await read(path, uri).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) throw error;
      const message = `cannot be read: ${error.message}`;
      throw new DocumentError([{ uri: path, line: 1, column: 1, message }]);
    });
    for (const [collection, own] of contents) seeds.set(collection, own);
  }

  async function read(path: string, uri: string): Promise<ReadonlyMap<Collection, Contents>> {
    const isLarge = path.endsWith('.json') && (await stat(path)).size > LARGE;
    if (isLarge) return readLargeState(path, uri);
    const { read: readState } = await snapshots();
    return readState(uri, await readFile(path, 'utf8'), readRules);
  }

  return seeds;
}
