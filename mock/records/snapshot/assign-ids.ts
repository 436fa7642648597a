import type { Contents, Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Draft, Report } from './read-record.ts';

/** Gives every record an id of its own, and orders them as lists are. */
export function assignIds(
  collection: RecordCollection,
  drafts: readonly Draft[],
  stated: unknown,
  report: Report,
): Contents {
  if (stated !== undefined && !Number.isSafeInteger(stated)) {
    report(['numbered', collection.name], 'must be a whole number');
  }
  const known = new Set<Id>();
  for (const { at, entry } of drafts) {
    if (entry && known.has(entry.id)) report(at, `there is another record with the id ${entry.id}`);
    if (entry) known.add(entry.id);
  }
  const isWhole = Number.isSafeInteger(stated) && known.size === drafts.length;
  const isTaken = isWhole && !known.has(collection.idOf(Number(stated) + 1));
  let numbered = isTaken ? Number(stated) : highestOrdinal(collection, known, drafts.length);
  const nextId = (): Id => {
    const id = collection.idOf(++numbered);
    return known.has(id) ? nextId() : id;
  };
  const entries = drafts.map(({ entry, given }) => entry ?? collection.complete(nextId(), given));
  // A state that was taken has its order, too.
  if (!isTaken && entries.every(({ id }) => typeof id !== 'string'))
    entries.sort((a, b) => compare(a.id, b.id));
  return { entries, numbered: Math.max(numbered, Number(stated ?? 0)) };
}

const compare = (left: Id, right: Id) => (left < right ? -1 : Number(left > right));

/** No one has made so many records: an id beyond was chosen, and says nothing of how many there were. */
const MOST_RECORDS = 1e12;

/** How many ids were made, as far as the ids can tell: a new record must come after all others. */
function highestOrdinal({ idOf }: RecordCollection, ids: ReadonlySet<Id>, atLeast: number): number {
  const first = idOf(1);
  if (typeof first !== 'number') return atLeast;
  const counted = [...ids].map((id) => (typeof id === 'number' ? id - first + 1 : 0));
  const likely = counted.filter((ordinal) => ordinal <= MOST_RECORDS);
  return likely.reduce((highest, one) => Math.max(highest, one), 0);
}
