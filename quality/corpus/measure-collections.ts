import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentError, loadContract } from '#spec';
import { type Comparison, compareCollections } from './compare-collections.ts';
import { folderOf } from './find-documents.ts';
import { type Named, readNamed } from './named-collections.ts';

/** A document that a person has judged, and how Paddock did; `refused`: it could not be read. */
export type Measured = Comparison | { readonly document: string; readonly refused: string };

/**
 * Compares what Paddock recognises in the judged documents with `collections.yaml`.
 * @param given folders that hold packages (`node_modules`), or names of installed packages; documents that are in none of
 * them are left out
 * @throws RangeError if there is no such folder or package
 */
export async function measureCollections(given: readonly string[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const named of readNamed()) {
    const file = fileOf(named, given);
    if (file !== undefined) measured.push(await measure(named, file));
  }
  return measured;
}

function fileOf({ document }: Named, given: readonly string[]): string | undefined {
  const files = given.map((one) =>
    document.startsWith(`${one}/`)
      ? join(folderOf(one), document.slice(one.length + 1))
      : join(folderOf(one), document),
  );
  return files.find((file) => existsSync(file));
}

async function measure(named: Named, file: string): Promise<Measured> {
  try {
    return compareCollections(await loadContract(file), named);
  } catch (error) {
    if (error instanceof DocumentError) return { document: named.document, refused: error.message };
    throw error;
  }
}
