import type { OpenStore, Store } from '../port.ts';
import { forgetSession } from '../sql/collections.ts';
import { openSqlSession } from '../sql/session.ts';
import { type Address, readAddress } from './address.ts';
import { openDatabase, type PostgresDatabase } from './database.ts';
import { postgresDialect } from './dialect.ts';
import { migrate } from './schema.ts';
import { openSessionLeases, type SessionLeases } from './session-leases.ts';
import { openSettings } from './settings.ts';

/**
 * A store in a PostgreSQL database, which several mocks may share.
 * @throws StoreError when the database cannot be reached
 */
export function postgresStore(url: string): OpenStore {
  const address = readAddress(url);
  return async (collections, notice = () => {}) => {
    const database = await openDatabase(address, notice);
    const { settings, leases } = await prepare(database, address).catch(async (error) => {
      await database.close();
      throw error;
    });
    const dialect = postgresDialect(database, leases);
    let closing: Promise<void> | undefined;

    async function closeSession(session: string): Promise<void> {
      if (!(await leases.release(session))) return;
      await deleteSession(database, leases, session);
      // Replicas keep the settings of a session until they see others.
      if (settings.get(session) !== undefined) await settings.update(session, () => '');
    }

    function open(session: string, close: () => Promise<void>): Store {
      const fork = (name: string) => open(name, () => closeSession(name));
      return { ...openSqlSession(dialect, session, collections), settings, fork, close };
    }

    return open('', () => {
      settings.close();
      leases.close();
      closing ??= database.close();
      return closing;
    });
  };
}

async function prepare(database: PostgresDatabase, address: Address) {
  await migrate(database, address);
  const leases = openSessionLeases(database);
  for (const session of await leases.abandoned()) await deleteSession(database, leases, session);
  return { settings: await openSettings(database), leases };
}

async function deleteSession(database: PostgresDatabase, leases: SessionLeases, session: string) {
  await forgetSession(database, session);
  await leases.forget(session);
}
