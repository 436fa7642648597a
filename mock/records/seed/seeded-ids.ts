import type { Id } from '../../store/port.ts';
import type { IdMaker } from './ids.ts';

/** The ids of seeded records: those that the document shows come first, then made ones that are none of these. */
export function seededIds(idOf: IdMaker, shown: () => readonly Id[]): IdMaker {
  let first: readonly Id[] | undefined;
  const known = new Set<Id>();
  const made: Id[] = [];
  let ordinal = 0;
  return (n) => {
    if (!first) {
      first = shown();
      for (const id of first) known.add(id);
    }
    if (first.length === 0) return idOf(n);
    if (n <= first.length) return first[n - 1] as Id;
    while (made.length < n - first.length) {
      const id = idOf(++ordinal);
      if (!known.has(id)) made.push(id);
    }
    return made[n - first.length - 1] as Id;
  };
}
