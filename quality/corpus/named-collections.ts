import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What a person says of a document: an entry of `collections.yaml`, which says how to read it. */
export interface Named {
  /** The npm package and the path inside it. */
  readonly document: string;
  /** Prefixes of paths, whole segments; absent: all paths. */
  readonly within?: readonly string[];
  readonly collections: readonly NamedCollection[];
  readonly singletons?: readonly NamedCollection[];
  /** `POST /x/{id}/cancel` */
  readonly actions?: readonly string[];
  /** Operations about which no answer is wrong. */
  readonly either?: readonly string[];
}

/** `path`, `id`, and for each role its operations: `list: [GET /x]`. */
export type NamedCollection = { readonly path: string; readonly id?: string } & Readonly<
  Record<string, string | readonly string[]>
>;

export function readNamed(): Named[] {
  return parse(readFileSync(new URL('collections.yaml', import.meta.url), 'utf8')) ?? [];
}

/** Each operation of a collection with its role. */
export function rolesOf(collection: NamedCollection): [operation: string, role: string][] {
  return Object.entries(collection).flatMap(([role, operations]) =>
    Array.isArray(operations) ? operations.map((operation): [string, string] => [operation, role]) : [],
  );
}
