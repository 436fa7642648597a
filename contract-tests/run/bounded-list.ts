/** A list that ends at a number of entries and of bytes: a run may be long, and responses large. */
export interface BoundedList<T> {
  readonly entries: readonly T[];
  /** How many were not kept, for want of room. */
  readonly dropped: () => number;
  add(entry: T, bytes: number): void;
}

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

export function createBoundedList<T>(): BoundedList<T> {
  const entries: T[] = [];
  let total = 0;
  let dropped = 0;
  return {
    entries,
    dropped: () => dropped,
    add(entry, bytes) {
      total += bytes;
      if (entries.length < MOST_ENTRIES && total <= MOST_BYTES) entries.push(entry);
      else dropped += 1;
    },
  };
}
