import type { Contract, Operation } from '#spec';
import type { Collection, Contents, Store } from '../../store/port.ts';
import { type RecordCollection, withInternal } from '../collection.ts';
import type { Role } from '../roles.ts';
import type { SeedValues } from '../seed/values.ts';
import type { ReadSettings } from './read-state.ts';
import type { Snapshots } from './snapshot.ts';

/**
 * Gives collections their first records: recorded traffic, seed files, code of the user's. What a collection has of itself
 * are examples of the document and generated values.
 */
export type RecordSource = (context: SourceContext) => Promise<ReadonlyMap<Collection, Contents>>;

export interface SourceContext {
  readonly contract: Contract;
  readonly collections: readonly RecordCollection[];
  /** The same with what earlier sources have given. */
  readonly filled: readonly Collection[];
  readonly roles: ReadonlyMap<Operation, Role>;
  readonly seeds: SeedValues;
  readonly snapshots: () => Promise<Snapshots>;
  readonly readSettings: ReadSettings;
  readonly progress: (text: string) => void;
}

/** The collections with their first records; of two sources that name the same one the later counts. */
export async function fillCollections(
  sources: readonly RecordSource[],
  context: Omit<SourceContext, 'filled'>,
): Promise<readonly Collection[]> {
  let filled = withInternal(context.collections);
  for (const source of sources) {
    const given = await source({ ...context, filled });
    const byName = new Map([...given].map(([{ name }, contents]) => [name, contents]));
    filled = filled.map((collection) => {
      const own = byName.get(collection.name);
      if (!own) return collection;
      const { entries, numbered } = own;
      return { ...collection, seeds: () => entries, size: entries.length, numbered };
    });
  }
  return withProgress(filled, context.progress);
}

/** Above so many records a collection is seeded before the first request, which would have to wait for it otherwise. */
const LARGE = 10_000;
const REPORT_EVERY = 100_000;

const isLarge = ({ size = 0 }: Collection) => size > LARGE;

function withProgress(
  collections: readonly Collection[],
  report: (text: string) => void,
): readonly Collection[] {
  return collections.map((collection) => {
    if (!isLarge(collection)) return collection;
    const { name, size = 0 } = collection;
    return {
      ...collection,
      *seeds() {
        let count = 0;
        for (const seed of collection.seeds()) {
          if (++count % REPORT_EVERY === 0) {
            report(`${name}: ${count.toLocaleString('en')} of ${size.toLocaleString('en')} records`);
          }
          yield seed;
        }
      },
    };
  });
}

/** What files have given belongs together: it is stored as a whole, however the process ends. */
const isGiven = ({ numbered }: Collection) => numbered !== undefined;

/** Fills the collections of the main session that are large, or that files have given. */
export async function fillFirst(store: Store, collections: readonly Collection[]): Promise<void> {
  await store.fill(collections.filter((collection) => isLarge(collection) || isGiven(collection)));
}
