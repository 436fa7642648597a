import { parseJson, stringifyJson } from '#spec';
import type { Collection, Entry, Id, KeyValue, Scalar } from '../port.ts';
import { StoreUnavailable } from '../store-error.ts';
import { keyText } from './key-text.ts';

/** An entry as the tables hold it. */
export interface Row {
  /** The id, as {@link keyText}. */
  readonly id: string;
  readonly text: string;
  /** A JSON list of the id and the values of the keys: what the columns of the index cannot give back. */
  readonly facts: string;
  /** What goes into the index: name of the key and {@link keyText} of a value, no pair twice. */
  readonly keys: readonly (readonly [name: string, value: string])[];
}

export function rowOf({ keys: names }: Collection, { id, text, keys }: Entry): Row {
  return {
    id: keyText(id),
    text,
    // For lists, no value and an empty list are the same.
    facts: stringifyJson([id, ...keys.map((value) => (value === undefined ? [] : value))]),
    keys: names.flatMap((name, at) => valuesOf(keys[at]).map((value) => [name, value] as const)),
  };
}

function valuesOf(value: KeyValue): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...new Set(value.map(keyText))] : [keyText(value as Scalar)];
}

export function entryOf({ text, facts }: Pick<Row, 'text' | 'facts'>): Entry {
  const [id, ...keys] = readFacts(facts);
  return { id, text, keys };
}

function readFacts(facts: string): [Id, ...KeyValue[]] {
  try {
    return parseJson(facts) as [Id, ...KeyValue[]];
  } catch {
    throw new StoreUnavailable('a stored record is damaged: put back a copy of the store, or reset the mock');
  }
}

/** A kept entry with the keys that its collection has now, if they were others when it was stored: the document has changed. */
export function withKeysOf(collection: Collection, entry: Entry, oldNames: readonly string[]): Entry {
  const members = parseJson(entry.text) as Readonly<Record<string, unknown>>;
  // What a path says of a record stands nowhere else; braces mark such keys.
  const scope = oldNames.flatMap((key, at) =>
    key.startsWith('{') ? [{ key, anyOf: [entry.keys[at] as Scalar] }] : [],
  );
  const { keys } = collection.complete(entry.id, { id: entry.id, members, scope });
  return { ...entry, keys };
}
