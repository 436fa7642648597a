import {
  type Data,
  type ExpressedExchange,
  fillTemplate,
  isEnded,
  memberShape,
  type OutgoingOperation,
  ownEntry,
  type Resource,
  sameName,
  stringifyJson,
  subscriptionOf,
} from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import type { Role } from '../records/roles.ts';
import type { Session } from '../sessions/session.ts';
import { recordsWhere } from '../store/port.ts';

/** A receiver's URL, and the record with it. */
export interface Recipient {
  readonly url: string;
  /** Undefined: no stored record has the URL. */
  readonly record: { readonly collection: string; readonly id: unknown } | undefined;
}

/** Finds the receivers of a callback or webhook. */
export type FindRecipients = (session: Session) => Promise<readonly Recipient[]>;

/** The most records to search. */
const MOST_RECORDS = 1000;

/** The records that hold a callback's URL: those that its operation creates. Undefined: no record does. */
export function compileStored(
  { url, owner }: OutgoingOperation,
  role: Role | undefined,
): FindRecipients | undefined {
  const [source] = url?.parts.flatMap((part) => (typeof part === 'string' ? [] : part.source)) ?? [];
  if (!url || !owner || role?.action !== 'create' || source?.from !== 'body') return undefined;
  const { collection } = role;
  const { pointer } = source;
  const shape = pointer.reduce<typeof collection.resource.shape | undefined>(
    (here, name) => here && memberShape(here, name),
    collection.resource.shape,
  );
  if (pointer.length === 0 || !shape || shape.writeOnly) return undefined;
  return async ({ store }) => {
    const records = await recordsWhere(store, collection, [], MOST_RECORDS);
    return records.flatMap((record) => {
      // The request's values, as far as the record keeps them.
      const filled = fillTemplate(url, asExchange(record));
      return 'text' in filled ? { url: filled.text, record: nameOf(collection, record) } : [];
    });
  };
}

function asExchange(record: Data): ExpressedExchange {
  const message = { headers: {}, query: {}, path: {}, body: record };
  return { url: '', method: '', request: message, response: message };
}

function nameOf(collection: RecordCollection, record: Data): Recipient['record'] {
  const { name, resource } = collection;
  return resource.id && { collection: name, id: ownEntry(record, resource.id.property) };
}

/** `/pets 3` */
export function recordKey(record: NonNullable<Recipient['record']>): string {
  return `${record.collection} ${stringifyJson(record.id ?? null)}`;
}

/** The records by which clients register for the document's webhooks. Undefined: no collection looks like one. */
export function compileRegistered(
  { name }: OutgoingOperation,
  collections: ReadonlyMap<Resource, RecordCollection>,
): FindRecipients | undefined {
  const registries = [...collections.values()].flatMap((collection) => {
    const members = subscriptionOf(collection.resource);
    return members ? { collection, ...members } : [];
  });
  if (registries.length === 0) return undefined;
  return async ({ store }) => {
    const lookups = registries.map(async ({ collection, url, events }) => {
      const records = await recordsWhere(store, collection, [], MOST_RECORDS);
      return records.flatMap((record) => {
        const target = record[url];
        const wanted = events === undefined ? undefined : record[events];
        return typeof target === 'string' && isOn(record) && wants(wanted, name)
          ? { url: target, record: nameOf(collection, record) }
          : [];
      });
    });
    return (await Promise.all(lookups)).flat();
  };
}

/** An empty list selects all events. */
function wants(events: unknown, name: string): boolean {
  const listed = [events ?? []].flat().filter((one) => typeof one === 'string');
  return listed.length === 0 || listed.some((one) => one === '*' || sameName(one, name));
}

function isOn(record: Data): boolean {
  const { active, enabled, isActive, is_active, disabled, status } = record;
  const isOff = [active, enabled, isActive, is_active].includes(false) || disabled === true;
  return !isOff && !(typeof status === 'string' && isEnded(status));
}
