import type { Contract, Operation, Validators } from '#spec';
import type { Collection, Contents, Store } from '../../store/port.ts';
import { type RecordCollection, withInternal } from '../collection.ts';
import type { Role } from '../roles.ts';
import type { SeedValues } from '../seed/values.ts';
import type { ReadSettings } from './read-state.ts';
import type { Snapshots } from './snapshot.ts';

/** The collections with what seed files, or states, put into them. */
export type SeedFrom = (
  collections: readonly RecordCollection[],
  context: SeedContext,
) => Promise<readonly Collection[]>;

export interface SeedContext {
  readonly contract: Contract;
  readonly roles: ReadonlyMap<Operation, Role>;
  /** Makes values up. */
  readonly seeds: SeedValues;
  readonly validators: Validators;
  readonly snapshots: () => Promise<Snapshots>;
  /** Receives rules, latency and clock of the files. */
  readonly readSettings: ReadSettings;
  /** Receives how far the reading of a large file has come. */
  readonly progress: (text: string) => void;
}

/** Those with seeds of their own begin with these. */
export function withSeeds(
  collections: readonly Collection[],
  seeds: ReadonlyMap<Collection, Contents>,
): readonly Collection[] {
  return withInternal(collections).map((collection) => {
    const own = seeds.get(collection);
    if (!own) return collection;
    const { entries, numbered } = own;
    return { ...collection, seeds: () => entries, size: entries.length, numbered };
  });
}

/** Above so many records a collection is seeded before the first request, which would have to wait for it otherwise. */
const LARGE = 10_000;
const REPORT_EVERY = 100_000;

const isLarge = ({ size = 0 }: Collection) => size > LARGE;

/** The same collections; large ones report the progress of seeding. */
export function withProgress(
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
