import { randomUUID } from 'node:crypto';
import type { PostgresDatabase } from './database.ts';

/** Records which replica uses which named session, so that none deletes a session that another one still needs. */
export interface Heartbeat {
  /** To be called at each use: the first one is recorded before anything of the session is stored, others now and then. */
  beat(session: string): Promise<void>;
  /** True: no other replica has used it for a while, and it may be deleted. */
  leave(session: string): Promise<boolean>;
  /** Sessions that no replica has used for a day: theirs ended without leaving. */
  abandoned(): Promise<readonly string[]>;
  /** To be called when the session was deleted. */
  forget(session: string): Promise<void>;
  close(): void;
}

const INTERVAL_MS = 30_000;

export function startHeartbeat({ query }: PostgresDatabase): Heartbeat {
  const replica = randomUUID();
  const entered = new Map<string, Promise<void>>();
  const used = new Set<string>();

  async function record(sessions: readonly string[]): Promise<void> {
    await query({ text: RECORD, values: [replica, sessions] });
  }

  const timer = setInterval(() => {
    if (used.size === 0) return;
    const sessions = [...used];
    used.clear();
    record(sessions).catch(() => {});
  }, INTERVAL_MS).unref();

  return {
    beat(session) {
      used.add(session);
      const known = entered.get(session);
      if (known) return known;
      const entering = record([session]);
      entered.set(session, entering);
      entering.catch(() => entered.delete(session));
      return entering;
    },
    async leave(session) {
      used.delete(session);
      entered.delete(session);
      await query({ text: LEAVE, values: [session, replica] });
      return (await query({ text: RECENT, values: [session] })).length === 0;
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

const RECORD = `INSERT INTO paddock_use (session, replica, at)
  SELECT s.session, $1, now() FROM unnest($2::text[]) AS s (session)
  ON CONFLICT (session, replica) DO UPDATE SET at = excluded.at`;
const LEAVE = 'DELETE FROM paddock_use WHERE session = $1 AND replica = $2';
// Somewhat more than a replica lets pass before it records a use.
const RECENT = "SELECT replica FROM paddock_use WHERE session = $1 AND at > now() - INTERVAL '90 seconds'";
const ABANDONED =
  "SELECT session FROM paddock_use GROUP BY session HAVING max(at) < now() - INTERVAL '1 day'";
