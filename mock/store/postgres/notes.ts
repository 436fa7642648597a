import { setTimeout as sleep } from 'node:timers/promises';
import type { Notes } from '../port.ts';
import type { PostgresDatabase } from './database.ts';

/** How often a replica asks whether a note has changed, in milliseconds. LISTEN and NOTIFY are not known to every engine. */
const POLL_MS = 200;
/** What the answer to a poll may take. */
const SLACK_MS = 50;

export interface PolledNotes extends Notes {
  close(): void;
}

/** Notes in a table, and a row with the version of the newest one. Reads all that there are, and then follows them. */
export async function openNotes({ query, transaction }: PostgresDatabase): Promise<PolledNotes> {
  const notes = new Map<string, string>();
  const listeners: ((session: string, note: string) => void)[] = [];
  let seen = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    const [newest] = await query({ text: 'SELECT version FROM paddock_version WHERE one = 1' });
    if (Number(newest?.version) <= seen) return;
    const changed = await query({ text: NEWER, values: [seen] });
    for (const { session = '', text = '', version } of changed) {
      seen = Math.max(seen, Number(version));
      notes.set(session, text);
      for (const listener of listeners) listener(session, text);
    }
  }

  function pollLater(): void {
    // While the database is away, its store says so; there is nothing to follow.
    const again = () =>
      poll()
        .catch(() => {})
        .finally(() => isClosed || pollLater());
    timer = setTimeout(again, POLL_MS).unref();
  }

  await poll();
  pollLater();
  return {
    of: (session) => notes.get(session) || undefined,
    async change(session, edit) {
      const text = await transaction(async (own) => {
        // Whoever changes a note waits for this row, so that versions become visible in their order.
        const [next] = await own({ text: NEXT_VERSION });
        const [old] = await own({ text: READ, values: [session] });
        const edited = edit(old?.text);
        await own({ text: WRITE, values: [session, Number(next?.version), edited] });
        return edited;
      });
      notes.set(session, text);
    },
    settle: () => sleep(POLL_MS + SLACK_MS),
    listen(listener) {
      listeners.push(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const READ = 'SELECT text FROM paddock_note WHERE session = $1';
const NEWER = 'SELECT session, text, version FROM paddock_note WHERE version > $1 ORDER BY version';
const NEXT_VERSION = 'UPDATE paddock_version SET version = version + 1 WHERE one = 1 RETURNING version';
const WRITE = `INSERT INTO paddock_note (session, version, text) VALUES ($1, $2, $3)
  ON CONFLICT (session) DO UPDATE SET version = excluded.version, text = excluded.text`;
