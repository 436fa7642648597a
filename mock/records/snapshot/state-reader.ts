import type { Validators } from '#spec';
import type { Collection, Contents } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { assignIds } from './assign-ids.ts';
import { compileCollectionPath } from './collection-path.ts';
import { compileReadRecord, type Draft, type Report } from './read-record.ts';

/** Collects the records of one state, in the order of its file. */
export interface StateReader {
  /** Begins the list at a path; undefined: the document has no such collection, which was reported. */
  list(path: string, report: Report): ((value: unknown, report: Report) => void) | undefined;
  /** To be called at the end, with how many ids each collection has given. */
  contents(numbered: Readonly<Record<string, unknown>>, report: Report): ReadonlyMap<Collection, Contents>;
}

export function compileStateReader(
  collections: readonly RecordCollection[],
  validators: Validators,
): () => StateReader {
  const compiled = collections.map((collection) => ({
    collection,
    paths: compileCollectionPath(collection),
    readRecord: compileReadRecord(collection, validators),
  }));
  const names = collections.map(({ name }) => name).join(', ') || 'none';

  return () => {
    const found = new Map<RecordCollection, Draft[]>();
    return {
      list(path, report) {
        const scoped = compiled.map((one) => ({ ...one, scope: one.paths.scopeOf(path) }));
        const match = scoped.find(({ collection, scope }) => scope !== undefined || collection.name === path);
        if (!match) {
          report(['records', path], `the document has no collection at ${path}; there are ${names}`);
          return undefined;
        }
        const { collection, readRecord, scope = [] } = match;
        const drafts = found.get(collection) ?? [];
        found.set(collection, drafts);
        let index = 0;
        return (value, reportRecord) => {
          const draft = readRecord(value, scope, ['records', path, String(index++)], reportRecord);
          if (draft) drafts.push(draft);
        };
      },
      contents(numbered, report) {
        const assigned = [...found].map(
          ([collection, drafts]) =>
            [collection, assignIds(collection, drafts, numbered[collection.name], report)] as const,
        );
        return new Map(assigned);
      },
    };
  };
}
