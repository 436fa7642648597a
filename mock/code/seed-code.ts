import { isRecord, parseJson, randomOf, stringifyJson } from '#spec';
import { createLibrary } from '../records/seed/fake.ts';
import type { RecordSource } from '../records/snapshot/initial-records.ts';
import type { Collection } from '../store/port.ts';
import { CodeError, type SeedCode } from './code.ts';

interface SeedCodeOptions {
  readonly seed: number;
  readonly locale: string;
  /** The current time for seeded records, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Records from the user's code.
 * @throws DocumentError if they do not fit the document; CodeError if the code fails
 */
export function codeSource(code: SeedCode, options: SeedCodeOptions): RecordSource {
  return async ({ filled, snapshots }) => {
    const records: Record<string, unknown> = {};
    for (const collection of filled) {
      if (collection.isInternal) continue;
      const { name } = collection;
      const result = await run(code, collection, options);
      if (Array.isArray(result)) records[name] = result;
      else if (isRecord(result)) Object.assign(records, result);
      else if (result !== undefined)
        throw new CodeError(`the seed of ${name} must be a list of records, not ${stringifyJson(result)}`);
    }
    const { read } = await snapshots();
    return read('seed', stringifyJson({ records }, 2));
  };
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
