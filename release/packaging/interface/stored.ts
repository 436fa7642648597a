import type { Entries } from './entries.ts';

/** What stable-interface.json holds. */
export interface Stored {
  /** The latest version that is released or about to be. */
  readonly version: string;
  /** Entries that were others in that version: their forms there, null for what it did not have. */
  readonly changedSince: Readonly<Record<string, string | null>>;
  readonly interface: Entries;
}

/** The inventory of the version that {@link Stored} names. */
export function releasedEntries(stored: Stored): Entries {
  const entries = Object.entries({ ...stored.interface, ...stored.changedSince });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** What is stored of an inventory, beside that of a version. */
export function toStored(version: string, released: Entries, current: Entries): Stored {
  const names = new Set([...Object.keys(released), ...Object.keys(current)]);
  const changed = [...names].filter((name) => released[name] !== current[name]);
  const changedSince = Object.fromEntries(changed.map((name) => [name, released[name] ?? null]));
  return { version, changedSince, interface: current };
}
