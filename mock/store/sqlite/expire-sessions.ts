import { forgetSession } from '../sql/collections.ts';
import { StoreUnavailable } from '../store-error.ts';
import type { Connection } from './connection.ts';

/** Deletes sessions that an earlier process has left in the file. */
export interface SessionExpiry {
  /** The session is used again. */
  cancel(session: string): void;
  stop(): void;
}

/** In milliseconds: as long as a mock keeps a session that nobody uses. */
const IDLE_MS = 3_600_000;

export function expireSessions(connection: Connection): SessionExpiry {
  const text = "SELECT DISTINCT session FROM paddock_collection WHERE session <> ''";
  const unused = new Set(connection.query({ text }).map(({ session }) => String(session)));
  const timer = setTimeout(() => {
    try {
      for (const session of unused) forgetSession(connection, session);
    } catch (error) {
      // Reported already; the next process tries again.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    unused.clear();
  }, IDLE_MS).unref();
  return {
    cancel: (session) => unused.delete(session),
    stop: () => clearTimeout(timer),
  };
}
