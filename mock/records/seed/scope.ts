import type { Resource } from '#spec';
import type { Scalar } from '../../store/port.ts';
import type { IdMaker } from './ids.ts';
import type { SeedValues } from './values.ts';

/** The path parameters of a nested collection under which its n-th seeded record stands. */
export type SeedScope = (ordinal: number) => Readonly<Record<string, Scalar>>;

/** How many seeded records of a nested collection belong to one parent. */
const RECORDS_PER_PARENT = 5;

/**
 * Compiles where the records of `/shelves/{shelfId}/books` belong: to the seeded records of `/shelves`, in turn,
 * or to one sampled value where no collection has such records.
 */
export function compileSeedScope(
  resource: Resource,
  idMakers: ReadonlyMap<string, IdMaker>,
  values: SeedValues,
  count: number,
): SeedScope {
  const parents = Math.ceil(count / RECORDS_PER_PARENT) || 1;

  function scopeAt(path: string, ordinal: number): Record<string, Scalar> {
    const [, above = '', parameter = ''] = /^(.*)\/\{([^/{}]+)\}/.exec(path) ?? [];
    if (parameter === '') return {};
    const parentId = idMakers.get(above);
    const parentOrdinal = parentId ? ((ordinal - 1) % parents) + 1 : 1;
    const value = parentId ? parentId(parentOrdinal) : values.parameter(resource, parameter);
    return { ...scopeAt(above, parentOrdinal), [parameter]: value };
  }
  return (ordinal) => scopeAt(resource.path, ordinal);
}
