/** The entry of an object for a name that a document or a client chose: `constructor` is none. */
export function ownEntry<Entry>(table: Readonly<Record<string, Entry>>, name: unknown): Entry | undefined {
  const key = String(name);
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
