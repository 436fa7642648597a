import { bodyShape, isRecord, memberShape, type Operation, type ReadRequest } from '#spec';
import type { Refusal } from '../http/refusal.ts';
import type { Condition, Id } from '../store/port.ts';
import type { RecordCollection } from './collection.ts';

/** The record that a path names: its id, and what the path requires of its parents. */
export interface ItemAddress {
  readonly id: Id;
  readonly scope: readonly Condition[];
}

/**
 * Compiles the reading of an item's address: its id is in the path, else in the body of a request that has a member for
 * it. Undefined: neither.
 */
export function compileItemAddress(
  { resource, idFrom, scopeFrom }: RecordCollection,
  operation?: Operation,
): ((request: ReadRequest) => ItemAddress) | undefined {
  const { parameter, property } = resource.id ?? {};
  if (parameter !== undefined)
    return ({ parameters: { path } }) => ({ id: idFrom(path[parameter]), scope: scopeFrom(path) });
  const body = operation && bodyShape(operation);
  if (property === undefined || !body || !memberShape(body, property)) return undefined;
  return ({ parameters: { path }, body: given }) => ({
    id: isRecord(given) ? (given[property] as Id) : '',
    scope: scopeFrom(path),
  });
}

export function recordNotFound(id: Id): Refusal {
  return { refuse: 'not found', message: `There is no record with the id ${id}` };
}
