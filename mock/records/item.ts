import type { ReadRequest } from '#spec';
import type { Refusal } from '../errors/refusal.ts';
import type { Condition, Id } from '../store/port.ts';
import type { RecordCollection } from './collection.ts';

/** The record that a path names: its id, and what the path requires of its parents. */
export interface ItemAddress {
  readonly id: Id;
  readonly scope: readonly Condition[];
}

/** Compiles the reading of an item's address; undefined: no path parameter is the record's id. */
export function compileItemAddress({ resource, idFrom, scopeFrom }: RecordCollection) {
  const name = resource.id?.parameter;
  if (name === undefined) return undefined;
  return ({ parameters: { path } }: ReadRequest): ItemAddress => ({
    id: idFrom(path[name]),
    scope: scopeFrom(path),
  });
}

export function recordNotFound(id: Id): Refusal {
  return { refuse: 'not found', message: `There is no record with the id ${id}` };
}
