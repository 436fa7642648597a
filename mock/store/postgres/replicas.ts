import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, stringifyJson } from '#spec';
import type { SettingsStore } from '../port.ts';
import type { PostgresDatabase } from './database.ts';

/** Which replica uses which named session, so that none deletes a session in use by another. */
export interface SessionLeases {
  /** Call at each use: takes a lease before the session's first write, and renews it from time to time. */
  use(session: string): Promise<void>;
  /** True: no other replica holds a lease, so the session may be deleted. */
  release(session: string): Promise<boolean>;
  /** Sessions whose leases were not renewed for a day: their replicas ended without releasing them. */
  abandoned(): Promise<readonly string[]>;
  /** Call when the session was deleted. */
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
      const lease = taken.get(session);
      if (lease) return lease;
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
// Three times the interval at which replicas renew leases.
const HELD = "SELECT replica FROM paddock_use WHERE session = $1 AND at > now() - INTERVAL '90 seconds'";
const ABANDONED =
  "SELECT session FROM paddock_use GROUP BY session HAVING max(at) < now() - INTERVAL '1 day'";

/** How often a replica polls for updates, in milliseconds: not every engine supports LISTEN and NOTIFY. */
const POLL_MS = 200;
/** The time limit of such a query. */
const QUERY_MS = 50;

const read = (text: string | undefined) => (text ? parseJson(text) : undefined);

/** Settings in a table, with the newest version in a row. Reads them all, then polls for updates. */
export async function openSettings({
  query,
  transaction,
}: PostgresDatabase): Promise<SettingsStore & { close(): void }> {
  const settings = new Map<string, unknown>();
  const listeners: ((session: string, value: unknown) => void)[] = [];
  let lastVersion = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    const [newest] = await query({ text: 'SELECT version FROM paddock_version WHERE one = 1' });
    if (Number(newest?.version) <= lastVersion) return;
    for (const { session = '', text = '', version } of await query({ text: NEWER, values: [lastVersion] })) {
      lastVersion = Math.max(lastVersion, Number(version));
      settings.set(session, read(text));
      for (const listener of listeners) listener(session, read(text));
    }
  }

  function schedulePoll(): void {
    // During an outage polling stops, and requests report it.
    const pollAgain = () =>
      poll()
        .catch(() => {})
        .finally(() => isClosed || schedulePoll());
    timer = setTimeout(pollAgain, POLL_MS).unref();
  }

  await poll();
  schedulePoll();
  return {
    get: (session) => settings.get(session),
    async update(session, edit) {
      const value = await transaction(async (tx) => {
        // Each update locks this row, so that versions are committed in order.
        const [next] = await tx({ text: NEXT_VERSION });
        const [old] = await tx({ text: READ, values: [session] });
        const edited = edit(read(old?.text));
        const text = edited === undefined ? '' : stringifyJson(edited);
        await tx({ text: WRITE, values: [session, Number(next?.version), text] });
        return edited;
      });
      settings.set(session, value);
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
