import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedSettings } from '../port.ts';
import type { PostgresDatabase } from './database.ts';

/** How often a replica asks for updates, in milliseconds: LISTEN and NOTIFY are not known to every engine. */
const POLL_MS = 200;
/** How long such a query may take. */
const QUERY_MS = 50;

/** Settings in a table, and a row with the version of the newest one. Reads them all, and then polls for updates. */
export async function openSettings({
  query,
  transaction,
}: PostgresDatabase): Promise<SharedSettings & { close(): void }> {
  const settings = new Map<string, string>();
  const listeners: ((session: string, text: string) => void)[] = [];
  let lastVersion = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    const [newest] = await query({ text: 'SELECT version FROM paddock_version WHERE one = 1' });
    if (Number(newest?.version) <= lastVersion) return;
    for (const { session = '', text = '', version } of await query({ text: NEWER, values: [lastVersion] })) {
      lastVersion = Math.max(lastVersion, Number(version));
      settings.set(session, text);
      for (const listener of listeners) listener(session, text);
    }
  }

  function schedulePoll(): void {
    // During an outage there is nothing to poll, and requests report it.
    const pollAgain = () =>
      poll()
        .catch(() => {})
        .finally(() => isClosed || schedulePoll());
    timer = setTimeout(pollAgain, POLL_MS).unref();
  }

  await poll();
  schedulePoll();
  return {
    get: (session) => settings.get(session) || undefined,
    async update(session, edit) {
      const text = await transaction(async (own) => {
        // Each update waits for the lock on this row, so that versions are committed in their order.
        const [next] = await own({ text: NEXT_VERSION });
        const [old] = await own({ text: READ, values: [session] });
        const edited = edit(old?.text);
        await own({ text: WRITE, values: [session, Number(next?.version), edited] });
        return edited;
      });
      settings.set(session, text);
    },
    replicated: () => sleep(POLL_MS + QUERY_MS),
    subscribe(listener) {
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
