import type { Contract, Resource } from '#spec';
import type { RecordCollection } from '../../records/collection.ts';
import type { Collection, Contents, Store } from '../../store/port.ts';
import type { DroppedRecord } from '../document-changes.ts';
import type { Session } from '../session.ts';
import { compileCarryOver } from './carry-over.ts';

/** The collections of a document, and the store of their records. */
export interface StoredService {
  readonly contract: Contract;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly store: Store;
}

/** Moves all sessions into the store of a new document; returns the records that no longer fit. */
export async function moveSessions(
  before: StoredService,
  after: StoredService,
  sessions: readonly Session[],
): Promise<DroppedRecord[]> {
  const plans = await planMoves(before, after);
  const dropped: DroppedRecord[] = [];
  for (const session of sessions) {
    const target = session.name === '' ? after.store : after.store.fork(session.name);
    const moved = new Map<Collection, Contents>();
    for (const { from, into, carryOver } of plans) {
      const { contents, lost } = carryOver(await session.store.contents(from));
      if (contents && into) moved.set(into, contents);
      for (const record of lost) dropped.push({ session: session.name, ...record });
    }
    await target.restore(moved);
    session.store.switchTo(target);
  }
  return dropped;
}

export function lostMessage({ session, path, id, reason }: DroppedRecord): string {
  // A text that a client chose must not control a terminal.
  const shown = typeof id === 'string' ? JSON.stringify(id) : id;
  return `${session === '' ? '' : `session "${session}": `}${path} ${shown} no longer fits and was removed: ${reason}`;
}

function planMoves(before: StoredService, after: StoredService) {
  const next = new Map([...after.collections.values()].map((collection) => [collection.name, collection]));
  return Promise.all(
    [...before.collections.values()].map(async (from) => {
      const into = next.get(from.name);
      const old = { collection: from, seeds: await seedsOf(before.store, from) };
      const fresh = into && { collection: into, seeds: await seedsOf(after.store, into) };
      return { from, into, carryOver: compileCarryOver(old, fresh, after.contract.validators) };
    }),
  );
}

/** No session of a client can have this name. */
const UNUSED_NAME = '?';

/** The initial contents of a session. */
async function seedsOf(store: Store, collection: Collection): Promise<Contents> {
  const untouched = store.fork(UNUSED_NAME);
  const contents = await untouched.contents(collection);
  await untouched.close();
  return contents;
}
