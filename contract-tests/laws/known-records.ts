import { type Action, type Resource, writeMeaning } from '#spec';
import type { Data } from '../send/wire.ts';
import type { Evidence } from './evidence.ts';
import { isOwn, isShared, type Maker, type OwnRecord } from './operation-role.ts';

/** The ids of records, as texts. */
export function idsIn({ id }: Resource, records: readonly Data[]): string[] {
  const property = id?.property ?? '';
  return records.flatMap(({ [property]: one }) => (one === undefined ? [] : [String(one)]));
}

/**
 * Whether to remember what a response says of a record. A case that shares the record, or sees it only after all others,
 * must not affect what others build on.
 */
export function mayNote({ maker }: OwnRecord, viewer: Maker): boolean {
  if (maker === undefined) return true;
  return viewer !== undefined && isOwn(maker, viewer) && (!isShared(maker) || isShared(viewer));
}

/** Whether the document says that the write renames the record, or does something else than to change it. */
export function mayBeAnother({ operation }: Evidence): boolean {
  const { renames, acts } = writeMeaning(operation);
  return renames || acts;
}

export type Change = Extract<Action, 'replace' | 'update' | 'remove'>;

const CHANGES: ReadonlySet<Action> = new Set<Change>(['replace', 'update', 'remove']);

export function isChange(action: Action): action is Change {
  return CHANGES.has(action);
}

/** A reported deviation is not reported again: afterwards, the record is what the service shows. */
export function asShown(sent: Data, record: Data): Data {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, name in record ? record[name] : value]),
  );
}

/**
 * Drops the oldest entry of a full map.
 * @returns the value of the dropped entry, if there is one
 */
export function dropOldest<T>(map: Map<string, T>, most: number): T | undefined {
  if (map.size <= most) return undefined;
  const [[key, value] = []] = map;
  if (key !== undefined) map.delete(key);
  return value;
}

export function keyOf(resource: Resource, id: unknown, parents: Data): string {
  return [resource.path, ...Object.values(parents), String(id)].join('\n');
}
