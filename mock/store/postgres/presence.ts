import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** Who uses which named session, so that no replica forgets one that another one still needs. */
export interface Presence {
  /** To be called at each use; costs nothing but now and then a statement. */
  touch(session: string): void;
  /** Notes the use before anything of the session is stored. */
  enter(session: string): Promise<void>;
  /** True: nobody else has used it for a while, and it may be forgotten. */
  leave(session: string): Promise<boolean>;
  /** Sessions that nobody at all has used for a day: their replicas ended without leaving. */
  abandoned(): Promise<readonly string[]>;
  close(): void;
}

const NOTE_MS = 30_000;

export function openPresence({ ask }: Database): Presence {
  const replica = randomUUID();
  const used = new Set<string>();

  async function note(sessions: readonly string[]): Promise<void> {
    await ask({ text: NOTE, values: [replica, sessions] });
  }

  const timer = setInterval(() => {
    if (used.size === 0) return;
    const sessions = [...used];
    used.clear();
    note(sessions).catch(() => {});
  }, NOTE_MS).unref();

  return {
    touch: (session) => used.add(session),
    enter: (session) => note([session]),
    async leave(session) {
      used.delete(session);
      await ask({ text: LEAVE, values: [session, replica] });
      return (await ask({ text: RECENT, values: [session] })).length === 0;
    },
    async abandoned() {
      const rows = await ask({ text: ABANDONED });
      return rows.map(({ session = '' }) => session);
    },
    close: () => clearInterval(timer),
  };
}

const NOTE = `INSERT INTO paddock_use (session, replica, at)
  SELECT s.session, $1, now() FROM unnest($2::text[]) AS s (session)
  ON CONFLICT (session, replica) DO UPDATE SET at = excluded.at`;
const LEAVE = 'DELETE FROM paddock_use WHERE session = $1 AND replica = $2';
// Somewhat more than a replica lets pass before it notes a use.
const RECENT = "SELECT replica FROM paddock_use WHERE session = $1 AND at > now() - INTERVAL '90 seconds'";
const ABANDONED =
  "SELECT session FROM paddock_use GROUP BY session HAVING max(at) < now() - INTERVAL '1 day'";
