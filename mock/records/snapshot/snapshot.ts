import { stringifyJson } from '#spec';
import { type Collection, type Contents, recordsWhere, type Store } from '../../store/port.ts';
import { INTERNAL, type RecordCollection } from '../collection.ts';
import { type CollectionPath, compileCollectionPath, compileFindCollection } from './collection-path.ts';
import { compileReadSnapshot, type ReadSnapshot } from './read-state.ts';

/** All records of a session, as data, and the content of a seed file. Rules, latency and clock are absent if unchanged. */
export interface Snapshot<P = unknown> {
  /** By the path of the collection for clients, without the base path: `/shelves/3/books`. */
  readonly records: RecordsByPath<P>;
  /** How many ids each collection has created, by its path in the document. */
  readonly numbered?: Readonly<Record<string, number>>;
  readonly rules?: readonly object[];
  /** Milliseconds, or a range such as `50-150`. */
  readonly latency?: number | string;
  /** The clock, RFC 3339. */
  readonly now?: string;
}

/** A state without some of the collections. */
export interface PartialSnapshot<P = unknown> extends Omit<Snapshot<P>, 'records'> {
  readonly records: Partial<RecordsByPath<P>>;
}

/** Reads, saves and returns all records of a document. */
export interface Snapshots {
  readonly read: ReadSnapshot;
  readonly take: TakeSnapshot;
  readonly recordsAt: RecordsAt;
}

export function compileSnapshots(collections: readonly RecordCollection[]): Snapshots {
  return {
    read: compileReadSnapshot(collections),
    take: compileTakeSnapshot(collections),
    recordsAt: compileRecordsAt(collections),
  };
}

/**
 * A session's state as JSON text, one record per line.
 * @param settings further members of the state
 */
export type TakeSnapshot = (store: Store, settings?: object) => Promise<string>;

export function compileTakeSnapshot(collections: readonly RecordCollection[]): TakeSnapshot {
  const addressed = collections.map((collection) => ({
    collection,
    paths: compileCollectionPath(collection),
  }));
  return async (store, settings = {}) => {
    const records: string[] = [];
    const numbered: Record<string, number> = {};
    for (const { collection, paths } of addressed) {
      const contents = await store.contents(collection);
      numbered[collection.name] = contents.numbered;
      records.push(...linesOf(collection, contents, paths));
    }
    for (const collection of INTERNAL) {
      const contents = await store.contents(collection);
      if (contents.entries.length > 0)
        records.push(...linesOf(collection, contents, { pathOf: () => collection.name }));
    }
    const others = Object.entries({ numbered, ...settings }).map(
      ([name, value]) => `,\n${JSON.stringify(name)}:${stringifyJson(value)}`,
    );
    return `{"records":{\n${records.join(',\n')}\n}${others.join('')}}\n`;
  };
}

function linesOf(
  { name }: Collection,
  { entries }: Contents,
  { pathOf }: Pick<CollectionPath, 'pathOf'>,
): string[] {
  // An empty collection is written, since a missing one would be seeded.
  if (entries.length === 0) return [`${JSON.stringify(name)}:[]`];
  const byPath = Map.groupBy(entries, pathOf);
  return [...byPath].map(
    ([path, entriesThere]) =>
      `${JSON.stringify(path)}:[\n${entriesThere.map(({ text }) => text).join(',\n')}]`,
  );
}

/**
 * All records under a collection's path, in order: for a nested one with its parents' ids, or, by the document's template,
 * below all parents.
 * @throws RangeError if the document has no collection at the path.
 */
export type RecordsAt = (store: Store, path: string) => Promise<readonly unknown[]>;

export function compileRecordsAt(collections: readonly RecordCollection[]): RecordsAt {
  const findCollection = compileFindCollection(collections);
  return async (store, path) => {
    const match = findCollection(path);
    if (typeof match === 'string') throw new RangeError(`the document has ${match}`);
    return recordsWhere(store, match.collection, match.scope);
  };
}

/**
 * The records of each collection, by its path for clients.
 * @typeParam P the `paths` that openapi-typescript generates; `unknown`: the document's paths are not known
 */
export type RecordsByPath<P> = unknown extends P
  ? Readonly<Record<string, readonly unknown[]>>
  : KnownRecords<P> & Readonly<Record<string, readonly unknown[]>>;

/** The type of the records at a path; `unknown` if no path of one record (`/things/{id}`) tells. */
export type RecordAt<P, Path extends string> = unknown extends P
  ? unknown
  : Path extends keyof KnownRecords<P>
    ? KnownRecords<P>[Path] extends readonly (infer R)[]
      ? R
      : unknown
    : unknown;

/** A collection's records have the type of the response at their item path. */
type KnownRecords<P> = {
  readonly [Q in keyof P & string as Concrete<CollectionOf<Q>>]: readonly ResponseOf<P[Q]>[];
};

/** `/shelves/{shelfId}/books` for `/shelves/{shelfId}/books/{bookId}`; never for a path without a parameter at the end. */
type CollectionOf<Q extends string, Before extends string = ''> = Q extends `${infer Head}/{${infer Tail}`
  ? Tail extends `${infer Name}}${infer More}`
    ? More extends ''
      ? `${Before}${Head}`
      : CollectionOf<More, `${Before}${Head}/{${Name}}`>
    : never
  : never;

/** `/shelves/{shelfId}/books` as sent by a client, with any text for a parameter. */
type Concrete<Path extends string> = Path extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Concrete<Tail>}`
  : Path;

type ResponseOf<Item> = Item extends { get: { responses: infer R } }
  ? R extends { 200: { content: infer C } }
    ? Json<C>
    : R extends { '2XX': { content: infer C } }
      ? Json<C>
      : unknown
  : unknown;

type Json<Content> = [keyof Content & `${string}json${string}`] extends [never]
  ? unknown
  : Content[keyof Content & `${string}json${string}`];
