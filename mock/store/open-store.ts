import { openMemoryStore } from './memory.ts';
import type { OpenStore } from './port.ts';
import { StoreError } from './store-error.ts';

/**
 * From `memory`, `file:PATH` or `postgres://...` to a store; a database's driver is loaded when the store is opened.
 * @throws StoreError for anything else; the text is not repeated, since it may hold a password
 */
export function storeAt(address: string): OpenStore {
  if (address === 'memory') return openMemoryStore;
  const path = /^file:(.+)$/.exec(address)?.[1];
  if (path !== undefined) {
    return async (collections) => (await import('./sqlite/sqlite.ts')).sqliteStore(path)(collections);
  }
  throw new StoreError('a store must be memory, file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}
