import type { Service } from '../service.ts';
import type { Session } from '../session/session.ts';
import type { Collection, Contents, Store } from '../store/port.ts';
import { compileCarryOver, type LostRecord } from './carry-over.ts';

/** A service and where its records are. */
export interface Served {
  readonly service: Service;
  readonly store: Store;
}

interface Plan {
  readonly from: Collection;
  readonly into: Collection | undefined;
  readonly carry: ReturnType<typeof compileCarryOver>;
}

/** Moves all sessions into the store of a new service; gives what had to stay behind, in words. */
export async function moveSessions(
  before: Served,
  after: Served,
  sessions: readonly Session[],
): Promise<string[]> {
  const plans = await planFor(before, after);
  const told: string[] = [];
  for (const session of sessions) {
    const target = session.name === '' ? after.store : after.store.fork(session.name);
    const moved = new Map<Collection, Contents>();
    for (const { from, into, carry } of plans) {
      const { contents, lost } = carry(await session.store.contents(from));
      if (contents && into) moved.set(into, contents);
      told.push(...lost.map((one) => tell(session, one)));
    }
    // Also where nothing moves: a store that outlives the mock still holds what the old document seeded.
    await target.restore(moved);
    session.store.switchTo(target);
  }
  return told;
}

function tell({ name }: Session, { path, id, reason }: LostRecord): string {
  // Text that a client chose must not steer a terminal.
  const shown = typeof id === 'string' ? JSON.stringify(id) : id;
  return `${name === '' ? '' : `session "${name}": `}${path} ${shown} no longer fits and is gone: ${reason}`;
}

function planFor(before: Served, after: Served): Promise<Plan[]> {
  const next = new Map(
    [...after.service.collections.values()].map((collection) => [collection.name, collection]),
  );
  const { validators } = after.service.contract;
  return Promise.all(
    [...before.service.collections.values()].map(async (collection) => {
      const into = next.get(collection.name);
      const old = { collection, seeds: await seedsOf(before.store, collection) };
      const fresh = into && { collection: into, seeds: await seedsOf(after.store, into) };
      return { from: collection, into, carry: compileCarryOver(old, fresh, validators) };
    }),
  );
}

/** No client can name a session so. */
const NOBODY = '?';

/** What a session begins with that nobody has touched. */
async function seedsOf(store: Store, collection: Collection): Promise<Contents> {
  const untouched = store.fork(NOBODY);
  const contents = await untouched.contents(collection);
  await untouched.close();
  return contents;
}
