import type { Collection, Condition, Entry, Given } from '../port.ts';
import { uniqueValues } from '../table.ts';
import type { Dialect, Query } from './database.ts';
import { selectTwin } from './select.ts';
import type { Steps } from './steps.ts';

export const hasUnique = ({ unique = [] }: Collection): boolean => unique.length > 0;

/**
 * Whether another record has the value of a unique key; within the transaction that stores the record. Replicas look
 * one after the other: each holds the row of the collection until its record is stored.
 */
export function* hasTwin(
  query: Query,
  { isShared }: Pick<Dialect, 'isShared'>,
  collection: Collection,
  entry: Entry,
  scope: Given['scope'],
  at: { readonly session: string; readonly number: number; readonly place: number },
): Steps<boolean> {
  const { keys, unique = [], name } = collection;
  const conditions = unique.flatMap((key): Condition[] => {
    const anyOf = uniqueValues(entry.keys[keys.indexOf(key)]);
    return anyOf.length > 0 ? [{ key, anyOf }] : [];
  });
  if (conditions.length === 0) return false;
  if (isShared) yield* query({ text: LOCK, values: [at.session, name] });
  for (const condition of conditions) {
    const twins = yield* query(selectTwin(at.number, at.place, condition, scope));
    if (twins.length > 0) return true;
  }
  return false;
}

const LOCK = 'SELECT number FROM paddock_collection WHERE session = $1 AND name = $2 FOR UPDATE';
