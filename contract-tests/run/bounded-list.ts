interface OfCase {
  readonly caseId: string | undefined;
}

/** A list that ends at a number of entries and of bytes: a run may be long, and responses large. */
export interface BoundedList<T extends OfCase> {
  readonly entries: readonly T[];
  /** How many were not kept, for want of room. */
  readonly dropped: () => number;
  add(entry: T, bytes: number): void;
  /** What was added under one name is a case's. */
  rename(from: string, caseId: string): void;
}

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

export function createBoundedList<T extends OfCase>(): BoundedList<T> {
  const entries: T[] = [];
  const names = new Map<string | undefined, string>();
  let total = 0;
  let dropped = 0;
  const named = (entry: T) => ({ ...entry, caseId: names.get(entry.caseId) ?? entry.caseId });
  return {
    entries,
    dropped: () => dropped,
    add(entry, bytes) {
      total += bytes;
      if (entries.length < MOST_ENTRIES && total <= MOST_BYTES) entries.push(named(entry));
      else dropped += 1;
    },
    rename(from, caseId) {
      names.set(from, caseId);
      for (const [index, entry] of entries.entries())
        if (entry.caseId === from) entries[index] = named(entry);
    },
  };
}
