import { randomUUID } from 'node:crypto';
import type { PostgresDatabase } from './database.ts';

/** Which replica uses which named session: none deletes a session that another one still holds. */
export interface SessionLeases {
  /** To be called at each use: takes a lease before anything of the session is stored, and renews it now and then. */
  use(session: string): Promise<void>;
  /** True: no other replica holds a lease, and the session may be deleted. */
  release(session: string): Promise<boolean>;
  /** Sessions whose leases were not renewed for a day: their replicas ended without releasing them. */
  abandoned(): Promise<readonly string[]>;
  /** To be called when the session was deleted. */
  forget(session: string): Promise<void>;
  close(): void;
}

const RENEW_MS = 30_000;

export function openSessionLeases({ query }: PostgresDatabase): SessionLeases {
  const replica = randomUUID();
  const taken = new Map<string, Promise<void>>();
  const used = new Set<string>();

  async function renew(sessions: readonly string[]): Promise<void> {
    await query({ text: RENEW, values: [replica, sessions] });
  }

  const timer = setInterval(() => {
    if (used.size === 0) return;
    const sessions = [...used];
    used.clear();
    renew(sessions).catch(() => {});
  }, RENEW_MS).unref();

  return {
    use(session) {
      used.add(session);
      const known = taken.get(session);
      if (known) return known;
      const taking = renew([session]);
      taken.set(session, taking);
      taking.catch(() => taken.delete(session));
      return taking;
    },
    async release(session) {
      used.delete(session);
      taken.delete(session);
      await query({ text: RELEASE, values: [session, replica] });
      return (await query({ text: HELD, values: [session] })).length === 0;
    },
    async abandoned() {
      const rows = await query({ text: ABANDONED });
      return rows.map(({ session = '' }) => session);
    },
    async forget(session) {
      await query({ text: 'DELETE FROM paddock_use WHERE session = $1', values: [session] });
    },
    close: () => clearInterval(timer),
  };
}

const RENEW = `INSERT INTO paddock_use (session, replica, at)
  SELECT s.session, $1, now() FROM unnest($2::text[]) AS s (session)
  ON CONFLICT (session, replica) DO UPDATE SET at = excluded.at`;
const RELEASE = 'DELETE FROM paddock_use WHERE session = $1 AND replica = $2';
// Three times as long as a replica takes to renew a lease.
const HELD = "SELECT replica FROM paddock_use WHERE session = $1 AND at > now() - INTERVAL '90 seconds'";
const ABANDONED =
  "SELECT session FROM paddock_use GROUP BY session HAVING max(at) < now() - INTERVAL '1 day'";
