import type { Resource, Singleton, Validators } from '#spec';
import { compileCollections, type RecordCollection } from './collection.ts';
import type { SeedValues } from './seed/values.ts';

/**
 * Compiles singletons as collections that begin empty: what nobody has written is not stored, and reads as it was seeded.
 * Below other records there is one for each of them.
 */
export function compileSingletons(
  singletons: readonly Singleton[],
  validators: Validators,
  values: SeedValues,
): ReadonlyMap<Singleton, RecordCollection> {
  const byResource = new Map(singletons.map((singleton) => [asResource(singleton), singleton]));
  const collections = compileCollections([...byResource.keys()], validators, values, 0, () => []);
  return new Map(
    [...collections].map(([resource, collection]) => [byResource.get(resource) as Singleton, collection]),
  );
}

function asResource({ path, actions, shape, parents }: Singleton): Resource {
  return { path, actions, shape, parents, further: [], id: undefined, list: undefined };
}
