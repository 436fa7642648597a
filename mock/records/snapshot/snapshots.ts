import type { Validators } from '#spec';
import type { RecordCollection } from '../collection.ts';
import { compileReadSnapshot } from './read-snapshot.ts';
import { compileRecordsAt, type RecordsAt } from './records-at.ts';
import { compileTakeSnapshot, type ReadSnapshot, type TakeSnapshot } from './snapshot.ts';

/** How all records of a document are written, read and shown at once. */
export interface Snapshots {
  readonly read: ReadSnapshot;
  readonly take: TakeSnapshot;
  readonly recordsAt: RecordsAt;
}

export function compileSnapshots(
  collections: readonly RecordCollection[],
  validators: Validators,
): Snapshots {
  return {
    read: compileReadSnapshot(collections, validators),
    take: compileTakeSnapshot(collections),
    recordsAt: compileRecordsAt(collections),
  };
}
