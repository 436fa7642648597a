import type { Validators } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import type { Collection, Contents } from '../store/port.ts';
import type { ReadRules } from './snapshot.ts';
import type { Snapshots } from './snapshots.ts';

/** The collections with what seed files, or states, put into them. */
export type SeedFrom = (
  collections: readonly RecordCollection[],
  context: SeedContext,
) => Promise<readonly Collection[]>;

export interface SeedContext {
  readonly validators: Validators;
  readonly snapshots: () => Promise<Snapshots>;
  /** Receives the rules of the files. */
  readonly readRules: ReadRules;
  /** Receives how far the reading of a large file has come. */
  readonly progress: (text: string) => void;
}

/** Those with seeds of their own begin with these. */
export function withSeeds(
  collections: readonly Collection[],
  seeds: ReadonlyMap<Collection, Contents>,
): readonly Collection[] {
  return collections.map((collection) => {
    const own = seeds.get(collection);
    if (!own) return collection;
    const { entries, numbered } = own;
    return { ...collection, seeds: () => entries, size: entries.length, numbered };
  });
}
