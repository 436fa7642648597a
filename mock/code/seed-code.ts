import { isRecord, parseJson, randomOf, stringifyJson } from '#spec';
import { createLibrary } from '../records/seed/fake.ts';
import { withSeeds } from '../records/snapshot/initial-records.ts';
import type { Snapshots } from '../records/snapshot/snapshot.ts';
import type { Collection } from '../store/port.ts';
import { CodeError, type SeedCode } from './code.ts';

export interface SeedCodeOptions {
  readonly snapshots: () => Promise<Snapshots>;
  readonly seed: number;
  /** Of faker. */
  readonly locale: string;
  /** What seeded records see as today, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * The collections with the records that code gives.
 * @throws DocumentError when these do not fit the document; CodeError when the code fails
 */
export async function seedByCode(
  code: SeedCode,
  collections: readonly Collection[],
  options: SeedCodeOptions,
): Promise<readonly Collection[]> {
  const records: Record<string, unknown> = {};
  for (const collection of collections) {
    if (collection.isInternal) continue;
    const { name } = collection;
    const given = await run(code, collection, options);
    if (Array.isArray(given)) records[name] = given;
    else if (isRecord(given)) Object.assign(records, given);
    else if (given !== undefined)
      throw new CodeError(`the seed of ${name} must be a list of records, not ${stringifyJson(given)}`);
  }
  const { read } = await options.snapshots();
  return withSeeds(collections, read('seed', stringifyJson({ records }, 2)));
}

async function run(
  code: SeedCode,
  collection: Collection,
  { seed, locale, now }: SeedCodeOptions,
): Promise<unknown> {
  try {
    return await code({
      collection: collection.name,
      get records() {
        return [...collection.seeds()].map(({ text }) => parseJson(text));
      },
      get faker() {
        return createLibrary({ locale, now }).from(randomOf(`${seed}/seed/${collection.name}`));
      },
      seed,
      now: new Date(now),
    });
  } catch (error) {
    throw new CodeError(`the code for the seed of ${collection.name} failed`, { cause: error });
  }
}
