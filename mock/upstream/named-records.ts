import { oncePer, type ReadRequest } from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import { compileItemAddress } from '../records/item.ts';
import type { Service } from '../service.ts';
import type { Id } from '../store/port.ts';

/** A record that a request's path names. */
export interface NamedRecord {
  readonly name: string;
  readonly id: Id;
  /** The number of segments of the record's path. Undefined: it has another path. */
  readonly segments: number | undefined;
}

type NamedBy = (values: ReadRequest) => readonly NamedRecord[];

/** Compiles the records that an operation's path names: its own record, and the parents. */
export function compileNamedRecords({ collections }: Service): (endpoint: Endpoint) => NamedBy {
  const items = [...collections.values()].flatMap((collection) => {
    const { path, id } = collection.resource;
    const addressOf = id?.parameter === undefined ? undefined : compileItemAddress(collection);
    return addressOf ? [{ name: collection.name, item: `${path}/{${id?.parameter}}`, addressOf }] : [];
  });
  return oncePer(({ operation: { path }, role }: Endpoint): NamedBy => {
    const along = items.filter(({ item }) => path === item || path.startsWith(`${item}/`));
    const idParameter = role?.collection.resource.id?.parameter;
    const isElsewhere =
      idParameter !== undefined &&
      path.includes(`{${idParameter}}`) &&
      along.every(({ name }) => name !== role?.collection.name);
    const addressOf = role && isElsewhere ? compileItemAddress(role.collection) : undefined;
    return (values) => [
      ...along.map(({ name, item, addressOf: read }) => {
        return { name, id: read(values).id, segments: item.split('/').length };
      }),
      ...(role && addressOf
        ? [{ name: role.collection.name, id: addressOf(values).id, segments: undefined }]
        : []),
    ];
  });
}
