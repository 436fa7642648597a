import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '#spec';
import type { Collection, Contents } from '../store/port.ts';
import type { ReadSnapshot } from './snapshot.ts';

/**
 * The collections with what seed files put into them; of two files that name the same collection the later counts.
 * @throws DocumentError when a file cannot be read, or holds what does not fit the document.
 */
export async function seedFrom(
  files: readonly (string | URL)[],
  collections: readonly Collection[],
  readSnapshot: ReadSnapshot,
): Promise<readonly Collection[]> {
  const seeds = new Map<Collection, Contents>();
  for (const file of files) {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    const text = await readFile(path, 'utf8').catch((error: Error) => {
      throw new DocumentError([
        { uri: path, line: 1, column: 1, message: `cannot be read: ${error.message}` },
      ]);
    });
    const uri = relative('', path);
    for (const [collection, contents] of readSnapshot(uri, text)) seeds.set(collection, contents);
  }
  return collections.map((collection) => {
    const own = seeds.get(collection);
    return own ? { ...collection, seeds: () => own.entries, numbered: own.numbered } : collection;
  });
}
