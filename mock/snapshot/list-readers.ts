import type { Validators } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import { compileCollectionPath } from './collection-path.ts';
import { compileReadRecord, type Draft } from './read-record.ts';

/** Notes what is wrong at a path within the file. */
export type Complain = (path: readonly string[], message: string) => void;

/** Reads the records of one list of a state. */
export interface ListReader {
  readonly collection: RecordCollection;
  /** Undefined: it is no record of the collection, and what is wrong has been said. */
  read(value: unknown, index: number, complain: Complain): Draft | undefined;
}

/** Compiles from the path of a list to its reader; undefined: the document has no such collection. */
export function compileListReaders(
  collections: readonly RecordCollection[],
  validators: Validators,
): (path: string) => ListReader | undefined {
  const known = collections.map((collection) => ({
    collection,
    paths: compileCollectionPath(collection),
    readRecord: compileReadRecord(collection, validators),
  }));
  return (path) => {
    const scoped = known.map((one) => ({ ...one, scope: one.paths.scopeOf(path) }));
    const found = scoped.find(({ collection, scope }) => scope !== undefined || collection.name === path);
    if (!found) return undefined;
    const { collection, scope = [], readRecord } = found;
    return {
      collection,
      read: (value, index, complain) => readRecord(value, scope, ['records', path, String(index)], complain),
    };
  };
}

export function unknownList(path: string, collections: readonly RecordCollection[]): string {
  const names = collections.map(({ name }) => name).join(', ') || 'none';
  return `the document has no collection at ${path}; there are ${names}`;
}
