import type { Contract, Operation } from '#spec';
import type { Collection, Contents, Store } from '../../store/port.ts';
import { type RecordCollection, withInternal } from '../collection.ts';
import type { Role } from '../roles.ts';
import type { SeedValues } from '../seed/values.ts';
import type { ReadSettings } from './read-state.ts';
import type { Snapshots } from './snapshot.ts';

/**
 * Gives collections their first records, from recorded traffic, seed files or the user's code. Without a source, these are
 * examples and generated values.
 */
export type RecordSource = (context: SourceContext) => Promise<ReadonlyMap<Collection, Contents>>;

export interface SourceContext {
  readonly contract: Contract;
  readonly collections: readonly RecordCollection[];
  /** The collections, with the records of earlier sources. */
  readonly filled: readonly Collection[];
  readonly roles: ReadonlyMap<Operation, Role>;
  readonly seeds: SeedValues;
  readonly snapshots: () => Promise<Snapshots>;
  readonly readSettings: ReadSettings;
  readonly progress: (text: string) => void;
}

/** The collections with their first records; later sources take precedence. */
export async function fillCollections(
  sources: readonly RecordSource[],
  context: Omit<SourceContext, 'filled'>,
): Promise<readonly Collection[]> {
  let filled = withInternal(context.collections);
  for (const source of sources) {
    const sourced = await source({ ...context, filled });
    const byName = new Map([...sourced].map(([{ name }, contents]) => [name, contents]));
    filled = filled.map((collection) => {
      const contents = byName.get(collection.name);
      if (!contents) return collection;
      const { entries, numbered } = contents;
      return { ...collection, seeds: () => entries, size: entries.length, numbered };
    });
  }
  return withProgress(filled, context.progress);
}

/** A larger collection is seeded when the mock starts, since its first request would have to wait. */
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

/** Records from files belong together, so they are stored at once, even if the process is killed soon. */
const isGiven = ({ numbered }: Collection) => numbered !== undefined;

/** Fills the main session's collections that are large, or have records from files. */
export async function fillFirst(store: Store, collections: readonly Collection[]): Promise<void> {
  await store.fill(collections.filter((collection) => isLarge(collection) || isGiven(collection)));
}
