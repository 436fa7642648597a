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
import { type Id, isId } from '../../store/port.ts';

/** A record that a collection begins with. */
export interface SeedExample {
  readonly id: Id;
  /** Undefined: the document only refers to this record, without its members. */
  readonly members: Data | undefined;
  /** The path parameters of its collection, as far as the document names them. */
  readonly path: Data;
}

export type SeedExamples = (resource: Resource) => readonly SeedExample[];

/**
 * The records that the document's examples name by path, in the document's order, each id once, with the parents that they
 * need. Examples that do not fit the schema are left out.
 */
export function createSeedExamples({ resources, operations }: Contract): SeedExamples {
  /** Before any schema is compiled: a large document uses few of them. */
  const shownOf = oncePer((resource: Resource): readonly (RecordExample & { readonly id: Id })[] => {
    const property = resource.id?.property;
    if (property === undefined) return [];
    const examples = recordExamples(resource).flatMap((example) => {
      const id = example.members[property];
      return isId(id) ? [{ ...example, id, path: pathOf(resource, example) }] : [];
    });
    const ids = examples.map(({ id }) => id);
    return namesExample(resource, operations, ids) ? examples : [];
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
    const byId = new Map<string, SeedExample>();
    for (const one of [...validOf(resource), ...named])
      if (!byId.has(String(one.id))) byId.set(String(one.id), one);
    return [...byId.values()];
  });
}

/** The parent in a record's members takes precedence over the path. */
function pathOf({ parents }: Resource, { members, path }: RecordExample): Data {
  const entries = parents.flatMap(({ parameter, property, inner }) => {
    const member = property === undefined ? undefined : members[property];
    const value = inner !== undefined && isRecord(member) ? valueAt(member, inner.split('.')) : member;
    return isId(value) ? [[parameter, value] as const] : [];
  });
  return { ...path, ...Object.fromEntries(entries) };
}
