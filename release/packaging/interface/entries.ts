/**
 * What users rely on, as an inventory: by the name of each entry, its form. A name is a path from the outside in, such as
 * `paddock mock > --log > json`: what it belongs to, and at last what it is.
 */
export type Entries = Readonly<Record<string, string>>;

const BETWEEN = ' > ';

export function nameOf(...parts: readonly string[]): string {
  return parts.join(BETWEEN);
}

export function partsOf(name: string): readonly string[] {
  return name.split(BETWEEN);
}

/** What an entry belongs to: an option to its command, a member to its type. */
export function ownersOf(name: string): string[] {
  const parts = partsOf(name);
  return parts.slice(1).map((_, at) => nameOf(...parts.slice(0, at + 1)));
}

/** How an inventory differs from an earlier one; names, in their order. */
export interface Differences {
  readonly added: readonly string[];
  /** The form is another one. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function differences(earlier: Entries, later: Entries): Differences {
  const names = Object.keys(later);
  return {
    added: names.filter((name) => !Object.hasOwn(earlier, name)),
    changed: names.filter((name) => Object.hasOwn(earlier, name) && earlier[name] !== later[name]),
    removed: Object.keys(earlier).filter((name) => !Object.hasOwn(later, name)),
  };
}

export function isSame({ added, changed, removed }: Differences): boolean {
  return added.length + changed.length + removed.length === 0;
}
