import type { Contract, Operation, Validators } from '#spec';
import type { Collection, Contents } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Role } from '../roles.ts';
import type { SeedValues } from '../seed/values.ts';
import type { ReadRules } from './snapshot.ts';
import type { Snapshots } from './snapshots.ts';

/** The collections with what seed files, or states, put into them. */
export type SeedFrom = (
  collections: readonly RecordCollection[],
  context: SeedContext,
) => Promise<readonly Collection[]>;

export interface SeedContext {
  readonly contract: Contract;
  /** Precedes every path of the document. */
  readonly basePath: string;
  readonly roles: ReadonlyMap<Operation, Role>;
  /** Makes values up. */
  readonly seeds: SeedValues;
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
