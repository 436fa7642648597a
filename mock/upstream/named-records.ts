import type { ReadRequest } from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import { compileItemAddress } from '../records/item.ts';
import type { Service } from '../service.ts';
import type { Id } from '../store/port.ts';

/** A record that the path of a request names. */
export interface NamedRecord {
  /** Of its collection. */
  readonly name: string;
  readonly id: Id;
  /** How many segments of the path lead to it, where the operation is of something below it; undefined: it is of the record. */
  readonly above: number | undefined;
}

/** Compiles which records the path of an operation names: the one that it is of, and those that this one is below. */
export function compileNamedRecords({
  collections,
}: Service): (endpoint: Endpoint) => (values: ReadRequest) => NamedRecord[] {
  const items = [...collections.values()].flatMap((collection) => {
    const { path, id } = collection.resource;
    const addressOf = id?.parameter === undefined ? undefined : compileItemAddress(collection);
    return addressOf ? [{ name: collection.name, item: `${path}/{${id?.parameter}}`, addressOf }] : [];
  });
  const compiled = new Map<Endpoint, (values: ReadRequest) => NamedRecord[]>();

  function compile({ operation: { path }, role }: Endpoint) {
    const above = items.filter(({ item }) => path.startsWith(`${item}/`));
    const own = role?.collection.resource.id?.parameter;
    const isNamed = role && own !== undefined && path.includes(`{${own}}`);
    const addressOf = isNamed ? compileItemAddress(role.collection) : undefined;
    return (values: ReadRequest): NamedRecord[] => [
      ...above.map(({ name, item, addressOf: read }) => {
        return { name, id: read(values).id, above: item.split('/').length };
      }),
      ...(role && addressOf
        ? [{ name: role.collection.name, id: addressOf(values).id, above: undefined }]
        : []),
    ];
  }

  return (endpoint) => {
    const known = compiled.get(endpoint) ?? compile(endpoint);
    compiled.set(endpoint, known);
    return known;
  };
}
