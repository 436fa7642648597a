import type { OpenStore, Store } from '../port.ts';
import { forgetSession } from '../sql/collections.ts';
import { openSqlSession } from '../sql/session.ts';
import { type Address, readAddress } from './address.ts';
import { openDatabase, type PostgresDatabase } from './database.ts';
import { postgresDialect } from './dialect.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import { openNotes } from './notes.ts';
import { migrate } from './schema.ts';

/**
 * A store in a PostgreSQL database, which several mocks may share.
 * @throws StoreError when the database cannot be reached
 */
export function postgresStore(url: string): OpenStore {
  const address = readAddress(url);
  return async (collections, notice = () => {}) => {
    const database = await openDatabase(address, notice);
    const { notes, heartbeat } = await prepare(database, address).catch(async (error) => {
      await database.close();
      throw error;
    });
    const dialect = postgresDialect(database, heartbeat);
    let closing: Promise<void> | undefined;

    async function closeSession(session: string): Promise<void> {
      if (!(await heartbeat.leave(session))) return;
      await deleteSession(database, heartbeat, session);
      // Replicas know a note until they see another one.
      if (notes.of(session) !== undefined) await notes.change(session, () => '');
    }

    function open(session: string, close: () => Promise<void>): Store {
      const fork = (name: string) => open(name, () => closeSession(name));
      return { ...openSqlSession(dialect, session, collections), notes, fork, close };
    }

    return open('', () => {
      notes.close();
      heartbeat.close();
      closing ??= database.close();
      return closing;
    });
  };
}

async function prepare(database: PostgresDatabase, address: Address) {
  await migrate(database, address);
  const heartbeat = startHeartbeat(database);
  for (const session of await heartbeat.abandoned()) await deleteSession(database, heartbeat, session);
  return { notes: await openNotes(database), heartbeat };
}

async function deleteSession(database: PostgresDatabase, heartbeat: Heartbeat, session: string) {
  await forgetSession(database, session);
  await heartbeat.forget(session);
}
