import {
  type Contract,
  type Data,
  fullyFits,
  isRecord,
  namesExample,
  oncePer,
  plainlyFits,
  type RecordExample,
  type Resource,
  recordExamples,
  valueAt,
} from '#spec';
import type { Id } from '../../store/port.ts';

/** A record that a collection begins with. */
export interface SeedExample {
  readonly id: Id;
  /** Undefined: another record of the document names this one, and nothing else is known of it. */
  readonly members: Data | undefined;
  /** The path parameters of its collection that the document names. */
  readonly path: Data;
}

export type SeedExamples = (resource: Resource) => readonly SeedExample[];

/**
 * The records that collections begin with where a path of the document names one of them, in the order of the document, each id once. What does not fit the schema is
 * left out. What they belong to is there as well.
 */
export function createSeedExamples({ resources, operations }: Contract): SeedExamples {
  /** Before any schema is compiled: of a large document few are ever used. */
  const shownOf = oncePer((resource: Resource): readonly (RecordExample & { readonly id: Id })[] => {
    const property = resource.id?.property;
    if (property === undefined) return [];
    const shown = recordExamples(resource).flatMap((example) => {
      const id = example.members[property];
      return isId(id) ? [{ ...example, id, path: pathOf(resource, example) }] : [];
    });
    const ids = shown.map(({ id }) => id);
    return namesExample(resource, operations, ids) ? shown : [];
  });

  const validOf = oncePer((resource: Resource): readonly SeedExample[] => {
    const { shape } = resource;
    return shownOf(resource).filter(
      ({ members }) => plainlyFits(shape, members) ?? fullyFits(shape, members),
    );
  });

  return oncePer((resource: Resource): readonly SeedExample[] => {
    const item = `${resource.path}/{${resource.id?.parameter}}`;
    const below = resources.filter(
      ({ path }) => path.startsWith(`${item}/`) && !path.slice(item.length + 1).includes('{'),
    );
    const named = below.flatMap((nested) =>
      shownOf(nested).flatMap(({ path }): SeedExample[] => {
        const id = path[resource.id?.parameter ?? ''];
        return isId(id) ? [{ id, members: undefined, path }] : [];
      }),
    );
    const known = new Map<string, SeedExample>();
    for (const one of [...validOf(resource), ...named])
      if (!known.has(String(one.id))) known.set(String(one.id), one);
    return [...known.values()];
  });
}

function isId(value: unknown): value is Id {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

/** What a record says itself of what it belongs to counts more than the path. */
function pathOf({ parents }: Resource, { members, path }: RecordExample): Data {
  const own = parents.flatMap(({ parameter, property, inner }) => {
    const member = property === undefined ? undefined : members[property];
    const value = inner !== undefined && isRecord(member) ? valueAt(member, inner.split('.')) : member;
    return isId(value) ? [[parameter, value] as const] : [];
  });
  return { ...path, ...Object.fromEntries(own) };
}
