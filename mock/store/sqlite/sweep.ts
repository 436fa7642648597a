import type { Connection } from './connection.ts';
import { forgetSession } from './tables.ts';

/** Lets sessions go that an earlier process has left in the file. */
export interface Sweep {
  /** Somebody uses the session again. */
  spare(session: string): void;
  stop(): void;
}

/** In milliseconds: as long as a mock keeps a session that nobody touches. */
const IDLE_MS = 3_600_000;

export function sweepSessions(connection: Connection): Sweep {
  const rows = connection
    .prepare("SELECT DISTINCT session FROM paddock_collection WHERE session <> ''")
    .all();
  const left = new Set(rows.map(({ session }) => String(session)));
  const timer = setTimeout(() => {
    for (const session of left) forgetSession(connection, session);
    left.clear();
  }, IDLE_MS).unref();
  return {
    spare: (session) => left.delete(session),
    stop: () => clearTimeout(timer),
  };
}
