import type { OpenStore } from '../port.ts';
import { type Address, readAddress } from './address.ts';
import { type Database, openDatabase } from './database.ts';
import { openNotes } from './notes.ts';
import { openPresence } from './presence.ts';
import { migrate } from './schema.ts';
import { openSession } from './session.ts';
import { forgetSession } from './tables.ts';

/**
 * A store in a PostgreSQL database, which several mocks may share.
 * @throws StoreError when the database cannot be had
 */
export function postgresStore(url: string): OpenStore {
  const address = readAddress(url);
  return async (collections, notice = () => {}) => {
    const database = await openDatabase(address, notice);
    const { notes, presence } = await prepare(database, address).catch(async (error) => {
      await database.close();
      throw error;
    });
    let closing: Promise<void> | undefined;
    return openSession({ database, collections, notes, presence }, '', () => {
      notes.close();
      presence.close();
      closing ??= database.close();
      return closing;
    });
  };
}

async function prepare(database: Database, address: Address) {
  await migrate(database, address);
  const presence = openPresence(database);
  for (const session of await presence.abandoned()) await forgetSession(database, session);
  return { notes: await openNotes(database), presence };
}
