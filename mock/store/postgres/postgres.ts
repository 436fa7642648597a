import type { OpenStore } from '../port.ts';
import { readAddress } from './address.ts';
import { openDatabase } from './database.ts';
import { migrate } from './schema.ts';
import { openSession } from './session.ts';

/**
 * A store in a PostgreSQL database, which several mocks may share.
 * @throws StoreError when the database cannot be had
 */
export function postgresStore(url: string): OpenStore {
  const address = readAddress(url);
  return async (collections, notice = () => {}) => {
    const database = await openDatabase(address, notice);
    try {
      await migrate(database, address);
    } catch (error) {
      await database.close();
      throw error;
    }
    return openSession(database, '', collections, database.close);
  };
}
