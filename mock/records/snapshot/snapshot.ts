import { stringifyJson } from '#spec';
import type { Collection, Contents, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { type CollectionPath, compileCollectionPath } from './collection-path.ts';
import type { Report } from './read-record.ts';
import type { RecordsByPath } from './typed-paths.ts';

/** All records of a session, as data; also what a seed file holds. */
export interface Snapshot<P = unknown> {
  /** By the path under which a client finds them, without the base path: `/shelves/3/books`. */
  readonly records: RecordsByPath<P>;
  /** How many ids each collection has given so far, by its path in the document. */
  readonly numbered?: Readonly<Record<string, number>>;
}

/** A state in which collections may be absent. */
export interface PartialSnapshot<P = unknown> extends Omit<Snapshot<P>, 'records'> {
  readonly records: Partial<RecordsByPath<P>>;
}

/** A session's state as JSON text, a record on each line. */
export type TakeSnapshot = (store: Store) => Promise<string>;

/**
 * Reads a state from YAML or JSON text; `uri` is what problems are shown under.
 * @throws DocumentError with every problem, each with line and column.
 */
export type ReadSnapshot = (
  uri: string,
  text: string,
  /** Reads the rules of a seed file; a state has none. */
  readRules?: ReadRules,
) => ReadonlyMap<Collection, Contents>;

/** Reads what stands under `rules`; problems are reported at paths that begin with it. */
export type ReadRules = (value: unknown, report: Report) => void;

export function compileTakeSnapshot(collections: readonly RecordCollection[]): TakeSnapshot {
  const addressed = collections.map((collection) => ({
    collection,
    paths: compileCollectionPath(collection),
  }));
  return async (store) => {
    const records: string[] = [];
    const numbered: Record<string, number> = {};
    for (const { collection, paths } of addressed) {
      const contents = await store.contents(collection);
      numbered[collection.name] = contents.numbered;
      records.push(...linesOf(collection, contents, paths));
    }
    return `{"records":{\n${records.join(',\n')}\n},\n"numbered":${stringifyJson(numbered)}}\n`;
  };
}

function linesOf({ name }: RecordCollection, { entries }: Contents, { pathOf }: CollectionPath): string[] {
  // An empty collection must not look like one that is not named, which would be seeded.
  if (entries.length === 0) return [`${JSON.stringify(name)}:[]`];
  const byPath = Map.groupBy(entries, pathOf);
  return [...byPath].map(
    ([path, own]) => `${JSON.stringify(path)}:[\n${own.map(({ text }) => text).join(',\n')}]`,
  );
}
