import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '#spec';
import type { Collection, Contents } from '../../store/port.ts';
import type { SeedContext } from './initial-records.ts';

/**
 * What seed files put into collections; of two files that name the same collection the later counts.
 * @throws DocumentError when a file cannot be read, or holds what does not fit the document.
 */
export async function readSeedFiles(
  files: readonly (string | URL)[],
  { snapshots, readSettings }: Pick<SeedContext, 'snapshots' | 'readSettings'>,
): Promise<ReadonlyMap<Collection, Contents>> {
  const seeds = new Map<Collection, Contents>();
  for (const file of files) {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    const text = await readFile(path, 'utf8').catch((error: Error) => {
      const message = `cannot be read: ${error.message}`;
      throw new DocumentError([{ uri: path, line: 1, column: 1, message }]);
    });
    const { read } = await snapshots();
    for (const [collection, own] of read(relative('', path), text, readSettings)) seeds.set(collection, own);
  }
  return seeds;
}
